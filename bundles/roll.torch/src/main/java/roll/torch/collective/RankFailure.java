package roll.torch.collective;

/** A rank was released because another one failed; the cause is what that one failed of. */
public final class RankFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Because of {@code cause}. */
  public RankFailure(Throwable cause) {
    super("another rank failed: " + cause.getMessage(), cause);
  }
}
