package roll.cluster.environments.calls;

/** An environment of another node threw something. */
public final class EnvironmentFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** {@code what} it threw, in one line. */
  public EnvironmentFailedException(String what) {
    super(what);
  }
}
