package roll.torch.training;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.strategy.Gradients;
import roll.api.strategy.LossFunction;
import roll.api.strategy.Scores;
import roll.api.strategy.ValueLossFunction;

/** A loss as a function of the columns of a model's head. */
@ConsumerType
@FunctionalInterface
public interface HeadOutputLoss {
  /**
   * Returns the derivatives of the loss, in columns of the same shape.
   *
   * @param samples numbers of the samples in the batch, in the order of the columns
   * @param columns output of the head for those samples, jagged in that order; 0 for tokens that
   *     are not scored
   */
  double[][] evaluate(int[] samples, double[][] columns);

  /** Returns the loss of a language model, whose columns are log-probs and entropies. */
  static HeadOutputLoss ofScores(LossFunction loss) {
    return (samples, columns) -> {
      Gradients gradients = loss.evaluate(samples, new Scores(columns[0], columns[1]));
      return new double[][] {gradients.logProbs(), gradients.entropies()};
    };
  }

  /** Returns the loss of a language model with a teacher; its third column are divergences. */
  static HeadOutputLoss ofDistilled(LossFunction loss) {
    return (samples, columns) -> {
      Scores scores = new Scores(columns[0], columns[1], new double[0], columns[2]);
      Gradients gradients = loss.evaluate(samples, scores);
      return new double[][] {gradients.logProbs(), gradients.entropies(), gradients.divergences()};
    };
  }

  /** Returns the loss of a value model, whose only column is the values. */
  static HeadOutputLoss ofValues(ValueLossFunction loss) {
    return (samples, columns) -> new double[][] {loss.evaluate(samples, columns[0])};
  }
}
