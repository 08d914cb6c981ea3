package roll.torch.training;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.strategy.Gradients;
import roll.api.strategy.LossFunction;
import roll.api.strategy.Scores;
import roll.api.strategy.ValueLossFunction;

/** A loss as a model sees it: a function of the columns of numbers that its head gives. */
@ConsumerType
@FunctionalInterface
public interface HeadLoss {
  /**
   * The loss's derivatives, in columns as they were given.
   *
   * @param samples which samples of the batch, in the order of the columns
   * @param columns what the head says of those samples, jagged in that order; 0 where not scored
   */
  double[][] evaluate(int[] samples, double[][] columns);

  /** The loss of a language model, whose columns are log-probs and entropies. */
  static HeadLoss ofScores(LossFunction loss) {
    return (samples, columns) -> {
      Gradients gradients = loss.evaluate(samples, new Scores(columns[0], columns[1]));
      return new double[][] {gradients.logProbs(), gradients.entropies()};
    };
  }

  /** The loss of a value model, whose one column is the values. */
  static HeadLoss ofValues(ValueLossFunction loss) {
    return (samples, columns) -> new double[][] {loss.evaluate(samples, columns[0])};
  }
}
