package roll.math;

import java.util.Arrays;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import roll.api.preference.PreferenceBatch;
import roll.api.preference.PreferenceBatch.Pair;
import roll.api.preference.PreferenceResult;

/**
 * The mean over pairs of a loss of their margin, which is the score of the chosen answer minus that
 * of the rejected one.
 *
 * @param batch the answers
 * @param score of an answer
 * @param slope derivative of the score by the log-prob of the answer
 */
public record PairLoss(
    PreferenceBatch batch, IntToDoubleFunction score, IntToDoubleFunction slope) {
  /** The log-sigmoid {@code −log(1 + e^−x)}. */
  public static double logSigmoid(double x) {
    return Math.min(x, 0) - Math.log1p(Math.exp(-Math.abs(x)));
  }

  /** The sigmoid {@code 1 / (1 + e^−x)}. */
  public static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  /**
   * Evaluates the mean of {@code loss}.
   *
   * @param loss of a margin
   * @param derivative of the loss by the margin
   * @param reward of an answer, for metrics
   */
  public PreferenceResult evaluate(
      DoubleUnaryOperator loss, DoubleUnaryOperator derivative, IntToDoubleFunction reward) {
    double[] gradient = new double[batch.answers()];
    double[] losses = new double[batch.pairs().size()];
    for (int i = 0; i < losses.length; i++) {
      Pair pair = batch.pairs().get(i);
      double margin = score.applyAsDouble(pair.chosen()) - score.applyAsDouble(pair.rejected());
      double by = derivative.applyAsDouble(margin) / losses.length;
      losses[i] = loss.applyAsDouble(margin);
      gradient[pair.chosen()] = by * slope.applyAsDouble(pair.chosen());
      gradient[pair.rejected()] = -by * slope.applyAsDouble(pair.rejected());
    }
    double[] rewards = IntStream.range(0, batch.answers()).mapToDouble(reward).toArray();
    return new PreferenceResult(
        Arrays.stream(losses).average().orElse(0), gradient, rewards, Map.of());
  }
}
