package roll.parallel;

import java.util.List;
import java.util.function.Function;
import roll.api.config.WorkerConfig;
import roll.api.memory.Activity;
import roll.api.memory.DeviceMemory;
import roll.api.model.DecoderSpec;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.api.rank.RankTraffic;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.parallel.shard.ParallelLayout;

/** Scores with a frozen model on several ranks, the counterpart of {@link ShardedTrainStrategy}. */
public abstract class ShardedInferStrategy implements InferStrategy {
  private final ShardedModels spread;
  private final List<Option<?>> known;
  private final Function<WorkerConfig, ParallelOptions> options;

  /**
   * Creates a strategy.
   *
   * @param known options of {@code strategy_config}
   * @param options reads the layout options
   */
  protected ShardedInferStrategy(
      ShardedModels spread,
      List<Option<?>> known,
      Function<WorkerConfig, ParallelOptions> options) {
    this.spread = spread;
    this.known = known;
    this.options = options;
  }

  @Override
  public final List<Option<?>> options() {
    return known;
  }

  @Override
  public final List<String> notices(WorkerConfig worker) {
    if (worker.role().equals("actor_infer")) {
      throw new UserException(
          "actor_infer.strategy_args.strategy_name: %s scores, but does not generate responses (vllm,"
                  .formatted(worker.strategy())
              + " sglang and hf_infer do)");
    }
    return ShardedModels.notices(worker, options.apply(worker));
  }

  @Override
  public final boolean dividesLogits() {
    return true;
  }

  @Override
  public final InferSession open(SessionConfig config) {
    return spread.openFrozen(config, spec -> options.apply(config.worker()).layout(spec));
  }

  @Override
  public final List<DeviceMemory> expected(
      SessionConfig config, DecoderSpec spec, Activity activity) {
    ParallelLayout layout = options.apply(config.worker()).layout(spec);
    return ShardedModels.expected(config, spec, layout, false, activity);
  }

  @Override
  public final List<RankTraffic> scoringTraffic(
      SessionConfig config, DecoderSpec spec, long samples) {
    ParallelLayout layout = options.apply(config.worker()).layout(spec);
    return new TrafficEstimate(config, spec, layout).most(Activity.SCORE, samples);
  }
}
