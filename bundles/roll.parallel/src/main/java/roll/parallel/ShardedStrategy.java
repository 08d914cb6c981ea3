package roll.parallel;

import java.util.List;
import java.util.function.Function;
import roll.api.config.WorkerConfig;
import roll.api.option.Option;
import roll.api.strategy.TemperatureScaling;

/** The options of a strategy that shards one model over several ranks. */
abstract class ShardedStrategy implements TemperatureScaling {
  final ShardedModels models;
  private final List<Option<?>> known;
  private final Function<WorkerConfig, ParallelOptions> options;

  ShardedStrategy(
      ShardedModels models,
      List<Option<?>> known,
      Function<WorkerConfig, ParallelOptions> options) {
    this.models = models;
    this.known = known;
    this.options = options;
  }

  /** Returns the declarations of the options in {@code strategy_config}. */
  public final List<Option<?>> options() {
    return known;
  }

  /** Returns the layout options of {@code worker}. */
  final ParallelOptions options(WorkerConfig worker) {
    return options.apply(worker);
  }

  @Override
  public final boolean dividesLogits() {
    return true;
  }
}
