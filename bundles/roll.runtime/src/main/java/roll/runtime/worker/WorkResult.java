package roll.runtime.worker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.strategy.DeviceMemory;
import roll.api.strategy.Generation;
import roll.api.strategy.Scores;
import roll.api.strategy.Weights;
import roll.runtime.pipeline.RolloutResult;

/**
 * What a worker did.
 *
 * @param batch the task's batch with the role's columns added, or null where the task has none
 * @param weights the shared weights, or null
 * @param rollout the played episodes, or null
 * @param generations the responses, in the order of the requests, or null
 * @param metrics numbers to be logged
 * @param memory what was held on each device, where that was asked for, else empty
 * @param problem what kept the role from training on the batch, or null: its weights are as before
 */
public record WorkResult(
    @Nullable Batch batch,
    @Nullable Weights weights,
    @Nullable RolloutResult rollout,
    @Nullable List<Generation> generations,
    Map<String, Double> metrics,
    List<DeviceMemory> memory,
    @Nullable String problem) {
  /** Nothing but done. */
  public static final WorkResult DONE =
      new WorkResult(null, null, null, null, Map.of(), List.of(), null);

  /** A batch and metrics. */
  public static WorkResult of(Batch batch, Map<String, Double> metrics) {
    return new WorkResult(batch, null, null, null, metrics, List.of(), null);
  }

  /** The batch with {@code scores} as those of the reference policy, and their mean. */
  public static WorkResult ofReference(Batch batch, Scores scores) {
    Batch scored = batch.withColumn(Batch.REFERENCE_LOG_PROBS, scores.logProbs());
    double mean = scored.layout().mean(scores.logProbs());
    return of(scored, Map.of("critic/ref_log_prob/mean", mean));
  }

  /** Metrics alone. */
  public static WorkResult of(Map<String, Double> metrics) {
    return new WorkResult(null, null, null, null, metrics, List.of(), null);
  }

  /** Metrics of training that was given up. */
  public static WorkResult of(Map<String, Double> metrics, @Nullable String problem) {
    return new WorkResult(null, null, null, null, metrics, List.of(), problem);
  }

  /** This with metrics more. */
  public WorkResult withMetrics(Map<String, Double> more) {
    Map<String, Double> all = new LinkedHashMap<>(metrics);
    all.putAll(more);
    return new WorkResult(batch, weights, rollout, generations, all, memory, problem);
  }

  /** Weights alone. */
  public static WorkResult of(Weights weights) {
    return new WorkResult(null, weights, null, null, Map.of(), List.of(), null);
  }

  /** A rollout alone. */
  public static WorkResult of(RolloutResult rollout) {
    return new WorkResult(null, null, rollout, null, rollout.metrics(), List.of(), null);
  }

  /** Responses alone. */
  public static WorkResult of(List<Generation> generations) {
    return new WorkResult(null, null, null, generations, Map.of(), List.of(), null);
  }

  /** What was held, alone. */
  public static WorkResult ofMemory(List<DeviceMemory> memory) {
    return new WorkResult(null, null, null, null, Map.of(), memory, null);
  }
}
