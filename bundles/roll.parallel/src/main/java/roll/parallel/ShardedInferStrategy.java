package roll.parallel;

import java.util.List;
import java.util.function.Function;
import roll.api.config.WorkerConfig;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.api.rank.CollectiveVolume;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.parallel.shard.ParallelLayout;

/** Scores with a frozen model on several ranks, the counterpart of {@link ShardedTrainStrategy}. */
public abstract class ShardedInferStrategy extends ShardedStrategy implements InferStrategy {
  /**
   * Creates a strategy.
   *
   * @param known options of {@code strategy_config}
   * @param options reads the layout options
   */
  protected ShardedInferStrategy(
      ShardedModels models,
      List<Option<?>> known,
      Function<WorkerConfig, ParallelOptions> options) {
    super(models, known, options);
  }

  @Override
  public final List<String> notices(WorkerConfig worker) {
    if (worker.role().equals("actor_infer")) {
      throw new UserException(
          "actor_infer.strategy_args.strategy_name: %s scores, but does not generate responses (vllm,"
                  .formatted(worker.strategy())
              + " sglang and hf_infer do)");
    }
    return ShardedModels.notices(worker, options(worker));
  }

  @Override
  public final InferSession open(SessionConfig config) {
    return models.openFrozen(config, spec -> options(config.worker()).layout(spec));
  }

  @Override
  public final List<SessionMemory> expected(
      SessionConfig config, DecoderSpec spec, SessionActivity activity) {
    ParallelLayout layout = options(config.worker()).layout(spec);
    return ShardedModels.expected(config, spec, layout, false, activity);
  }

  @Override
  public final List<CollectiveVolume> scoringTraffic(
      SessionConfig config, DecoderSpec spec, long samples) {
    ParallelLayout layout = options(config.worker()).layout(spec);
    return new TrafficEstimate(config, spec, layout).most(SessionActivity.SCORE, samples);
  }
}
