package roll.api.strategy;

/**
 * What one optimizer step did.
 *
 * @param gradNorm norm of the gradient before clipping
 * @param learningRate of this step
 * @param skipped whether the gradient was not finite and the weights were left alone
 * @param lossSeconds time spent in the loss function
 */
public record UpdateReport(
    double gradNorm, double learningRate, boolean skipped, double lossSeconds) {}
