package roll.api.config;

/**
 * Limits of the episodes of an environment.
 *
 * @param maxSteps maximum number of turns per episode
 * @param maxTokensPerStep maximum number of tokens per response; 0 uses the generating_args
 * @param maxStepConcurrent maximum number of concurrent step and reset calls; 0 sets no limit
 * @param cut treatment of responses that reach the token limit
 */
public record EnvLimits(
    int maxSteps, int maxTokensPerStep, int maxStepConcurrent, CutResponses cut) {
  /** Treatment of responses that reach the token limit. */
  public enum CutResponses {
    /** Cut responses are trained on and rewarded like all others. */
    TRAIN,
    /** Cut responses are rewarded, but their tokens are not trained on. */
    MASK,
    /** An episode that ends with a cut response gets reward 0. */
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
