package roll.runtime.worker;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.api.data.Batch;
import roll.api.strategy.Scores;

/**
 * The reply of a worker to a task.
 *
 * @param value the requested value
 * @param metrics numbers to be logged
 * @param <R> type of the value, as in the {@link Task}
 */
public record TaskReply<R>(R value, Map<String, Double> metrics) {
  /** Reply to a completed task without metrics. */
  public static final TaskReply<EmptyResult> DONE = new TaskReply<>(EmptyResult.DONE, Map.of());

  /** Returns the reply with a value, without metrics. */
  public static <R> TaskReply<R> of(R value) {
    return new TaskReply<>(value, Map.of());
  }

  /**
   * Returns the batch with {@code scores} as the reference log-probs, and their mean as a metric.
   */
  public static TaskReply<Batch> ofReference(Batch batch, Scores scores) {
    Batch scored = batch.withColumn(Batch.REFERENCE_LOG_PROBS, scores.logProbs());
    double mean = scored.layout().mean(scores.logProbs());
    return new TaskReply<>(scored, Map.of("critic/ref_log_prob/mean", mean));
  }

  /** Returns this reply with additional metrics. */
  public TaskReply<R> withMetrics(Map<String, Double> more) {
    Map<String, Double> all = new LinkedHashMap<>(metrics);
    all.putAll(more);
    return new TaskReply<>(value, all);
  }
}
