package roll.rollout.supervise;

/** A model failed that an episode asks: the run's failure, and not that of a world or a reward. */
public final class ModelFailure extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /** Because of {@code cause}. */
  public ModelFailure(Throwable cause) {
    super("generation failed: " + cause, cause);
  }
}
