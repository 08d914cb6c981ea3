package roll.worker.actor;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.data.ColumnMap;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossInput;
import roll.api.loss.LossSettings;
import roll.api.loss.TrainInferCorrection;
import roll.api.strategy.Scores;
import roll.batching.NonFiniteCheck;
import roll.math.TrainInferMismatch;

/**
 * The batch of one training task as the loss sees it: corrected for the engine that sampled it, and
 * with old log-probs. Where it has none, those a sample has when it is first trained on take their
 * place (ROLL without {@code enable_old_logprobs_recompute}).
 */
final class PolicyBatch {
  private static final ColumnKey<double[]> LOG_PROBS = ColumnKey.ofTokens("log_probs");
  private static final List<ColumnKey<?>> COLUMNS =
      List.of(Batch.REFERENCE_LOG_PROBS, LossInput.IMPORTANCE, LossInput.SURVEY);

  private final Batch batch;
  private final LossSettings settings;
  private final Map<String, Double> metrics;
  private final double @Nullable [] firstLogProbs;

  PolicyBatch(Batch given, LossSettings settings) {
    this.settings = settings;
    TrainInferCorrection correction =
        settings.correction().current() ? TrainInferCorrection.NONE : settings.correction();
    double[] old = given.columnOrNull(Batch.OLD_LOG_PROBS);
    double[] sampled = given.columnOrNull(Batch.BEHAVIOR_LOG_PROBS);
    if (old == null || sampled == null) {
      metrics = Map.of();
      batch = given;
    } else {
      TrainInferCorrection.Result found =
          TrainInferMismatch.corrected(correction, given.layout(), old, sampled);
      metrics = found.metrics();
      batch =
          correction.corrects()
              ? given.keeping(found.kept()).withColumn(LossInput.IMPORTANCE, found.weights())
              : given;
    }
    firstLogProbs = old == null ? new double[given.size()] : null;
  }

  /**
   * Returns the differences between the log-probs of the rollout and of the training engine; empty
   * if unknown.
   */
  Map<String, Double> metrics() {
    return metrics;
  }

  /** Returns the number of samples of the policy batch. */
  int samples() {
    return batch.samples();
  }

  /** Returns the samples {@code chosen} of the batch. */
  Batch select(int[] chosen) {
    return batch.select(chosen);
  }

  /**
   * Returns the input of the loss for a part of the batch.
   *
   * @param part of the batch, with all its columns
   * @param numbers its samples' numbers in the batch
   * @param now its current log-probs and entropies
   * @param whole counts of the optimizer batch
   * @param first whether its samples are trained on for the first time
   * @throws NonFiniteException if a log-prob is not a finite number
   */
  LossInput input(Batch part, int[] numbers, Scores now, LossDenominators whole, boolean first) {
    String problem = NonFiniteCheck.problem(part.withColumn(LOG_PROBS, now.logProbs()), LOG_PROBS);
    if (problem != null) {
      throw new NonFiniteException(problem);
    }
    ColumnMap columns = part.columns().only(COLUMNS);
    double[] scores = part.columnOrNull(Batch.SCORES);
    if (scores != null) {
      columns = columns.with(LossInput.SCORES, part.layout().spread(scores));
    }
    double[] sampled = part.columnOrNull(Batch.BEHAVIOR_LOG_PROBS);
    if (settings.correction().current() && sampled != null) {
      double[] weights = currentWeights(part, now.logProbs(), sampled);
      columns = columns.with(LossInput.IMPORTANCE, weights);
    }
    double[] old = oldLogProbs(part, numbers, now.logProbs(), first);
    return new LossInput(
        part.layout(),
        new LossInput.Policy(now.logProbs(), old, now.entropies()),
        part.column(Batch.ADVANTAGES),
        columns,
        settings,
        whole);
  }

  /** The weights of a correction at each update: 0 for tokens that fail a filter. */
  private double[] currentWeights(Batch part, double[] now, double[] sampled) {
    TrainInferCorrection.Result found =
        TrainInferMismatch.corrected(settings.correction(), part.layout(), now, sampled);
    double[] weights = found.weights();
    for (int t = 0; t < weights.length; t++) {
      weights[t] = found.kept()[t] ? weights[t] : 0;
    }
    return weights;
  }

  private double[] oldLogProbs(Batch part, int[] numbers, double[] now, boolean first) {
    double[] known = firstLogProbs;
    if (known == null) {
      return part.column(Batch.OLD_LOG_PROBS);
    }
    double[] old = first ? now.clone() : new double[part.size()];
    for (int i = 0; i < numbers.length; i++) {
      int here = part.layout().offsets()[i];
      int there = batch.layout().offsets()[numbers[i]];
      int length = part.layout().offsets()[i + 1] - here;
      if (first) {
        System.arraycopy(old, here, known, there, length);
      } else {
        System.arraycopy(known, there, old, here, length);
      }
    }
    return old;
  }
}
