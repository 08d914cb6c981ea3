package roll.rollout.supervise;

import roll.api.option.UserException;

/** A model failed that an episode asks: the run's failure, and not that of a world or a reward. */
public final class ModelFailure extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /** Because of {@code cause}. */
  public ModelFailure(Throwable cause) {
    super("generation failed: " + cause, cause);
  }

  /** A model gave what is no answer, as {@code message} tells. */
  public ModelFailure(String message) {
    super(message);
  }

  /** A model is asked for what it cannot do, in this episode as in all others. */
  public ModelFailure(UserException mistake) {
    super(mistake.getMessage(), mistake);
  }

  /** What the run ends by: the user's mistake, or this. */
  public RuntimeException reason() {
    return getCause() instanceof UserException mistake ? mistake : this;
  }
}
