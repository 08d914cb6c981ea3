package roll.api.strategy;

/**
 * Report of an optimizer step.
 *
 * @param gradNorm norm of the gradient before clipping
 * @param learningRate of this step
 * @param skipped whether the step was skipped because the gradient was not finite
 * @param lossSeconds time spent in the loss function
 * @param sharedTokens share of the samples' tokens that common prefixes saved, 0 to 1
 */
public record UpdateReport(
    double gradNorm,
    double learningRate,
    boolean skipped,
    double lossSeconds,
    double sharedTokens) {
  /** A step that computed each sample by itself. */
  public UpdateReport(double gradNorm, double learningRate, boolean skipped, double lossSeconds) {
    this(gradNorm, learningRate, skipped, lossSeconds, 0);
  }
}
