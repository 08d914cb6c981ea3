package roll.api.strategy;

/**
 * Report of an optimizer step.
 *
 * @param gradNorm norm of the gradient before clipping
 * @param learningRate of this step
 * @param skipped whether the step was skipped because the gradient was not finite
 * @param lossSeconds time spent in the loss function
 */
public record UpdateReport(
    double gradNorm, double learningRate, boolean skipped, double lossSeconds) {}
