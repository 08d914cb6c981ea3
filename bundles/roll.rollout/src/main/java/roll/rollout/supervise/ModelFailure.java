package roll.rollout.supervise;

import roll.api.option.UserException;

/**
 * The failure of a model that an episode queries. It ends the run, unlike that of an environment or
 * reward.
 */
public final class ModelFailure extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /** Creates a failure caused by {@code cause}. */
  public ModelFailure(Throwable cause) {
    super("generation failed: " + cause, cause);
  }

  /** Creates a failure for an invalid response. */
  public ModelFailure(String message) {
    super(message);
  }

  /** Creates a failure for a request that the model does not support. */
  public ModelFailure(UserException mistake) {
    super(mistake.getMessage(), mistake);
  }

  /** Returns the exception that ends the run: the {@link UserException}, or this. */
  public RuntimeException reason() {
    return getCause() instanceof UserException mistake ? mistake : this;
  }
}
