package roll.api.config;

/**
 * Limits of the episodes of an environment.
 *
 * @param maxSteps most turns of an episode
 * @param maxTokensPerStep most tokens of one response; 0 leaves it to the generating_args
 * @param maxStepConcurrent most calls of step and reset at once; 0 sets no limit
 */
public record EnvLimits(int maxSteps, int maxTokensPerStep, int maxStepConcurrent) {
  /** Only the number of turns is limited. */
  public static EnvLimits steps(int maxSteps) {
    return new EnvLimits(maxSteps, 0, 0);
  }
}
