package roll.api.config;

/**
 * Limits of the episodes of an environment.
 *
 * @param maxSteps most turns of an episode
 * @param maxTokensPerStep most tokens of one response; 0 leaves it to the generating_args
 * @param maxStepConcurrent most calls of step and reset at once; 0 sets no limit
 * @param cut what becomes of responses that end at the limit of their tokens
 */
public record EnvLimits(
    int maxSteps, int maxTokensPerStep, int maxStepConcurrent, CutResponses cut) {
  /** What is done with responses that end at the limit of their tokens. */
  public enum CutResponses {
    /** They are trained on and judged as all others. */
    TRAIN,
    /** They are judged, and their tokens are not trained on. */
    MASK,
    /** One that ends an episode earns nothing. */
    FAIL
  }

  /** Limits of responses that are all trained on. */
  public EnvLimits(int maxSteps, int maxTokensPerStep, int maxStepConcurrent) {
    this(maxSteps, maxTokensPerStep, maxStepConcurrent, CutResponses.TRAIN);
  }

  /** Only the number of turns is limited. */
  public static EnvLimits steps(int maxSteps) {
    return new EnvLimits(maxSteps, 0, 0);
  }
}
