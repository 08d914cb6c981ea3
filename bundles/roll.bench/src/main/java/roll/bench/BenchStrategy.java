package roll.bench;

import java.util.List;
import java.util.Map;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.runtime.option.YamlOptions;

/**
 * An inference strategy with its options.
 *
 * @param label for the tables
 * @param id of the strategy
 * @param strategy opens sessions
 * @param options {@code strategy_config}
 * @param devices numbers; empty for all cores
 * @param batchInvariant whether log-probs do not depend on the batch
 */
record BenchStrategy(
    String label,
    String id,
    InferStrategy strategy,
    Map<String, Object> options,
    List<Integer> devices,
    boolean batchInvariant) {
  /** A strategy with default options on all cores. */
  BenchStrategy(String id, InferStrategy strategy) {
    this(id, id, strategy, Map.of(), List.of(), false);
  }

  /** Returns the strategy with another label and {@code strategy_config}. */
  BenchStrategy with(String other, Map<String, Object> settings) {
    return new BenchStrategy(other, id, strategy, settings, devices, batchInvariant);
  }

  /** Returns the strategy on {@code numbers}. */
  BenchStrategy on(List<Integer> numbers) {
    return new BenchStrategy(label, id, strategy, options, numbers, batchInvariant);
  }

  /** Returns the strategy with {@code batch_invariant: true}. */
  BenchStrategy invariant() {
    return new BenchStrategy("invariant", id, strategy, options, devices, true);
  }

  /**
   * Opens a session with the model of {@code subject}; the caller closes it.
   *
   * @param batch maximum concurrent sequences
   * @param length maximum tokens of a sequence
   */
  InferSession open(BenchModel subject, Dtype dtype, int batch, int length) {
    WorkerConfig worker =
        new WorkerConfig(
            "actor_infer",
            ModelConfig.of(subject.folder(), dtype).withBatchInvariant(batchInvariant),
            "native",
            id,
            YamlOptions.strategy("actor_infer", options),
            TrainingConfig.NONE,
            devices,
            batch);
    return strategy.open(new SessionConfig(worker, 1, 1, length));
  }
}
