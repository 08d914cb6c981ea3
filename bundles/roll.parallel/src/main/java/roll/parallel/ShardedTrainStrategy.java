package roll.parallel;

import java.util.List;
import java.util.function.Function;
import roll.api.config.OptimizerName;
import roll.api.config.WorkerConfig;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.api.rank.CollectiveVolume;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainStrategy;
import roll.api.strategy.ValueSession;
import roll.decoder.DecoderParameters;
import roll.parallel.shard.ParallelLayout;
import roll.torch.model.TrainedParameters;
import roll.torch.vision.VisionTower;

/** Trains on several ranks; a plugin only provides the names of the layout options. */
public abstract class ShardedTrainStrategy extends ShardedStrategy implements TrainStrategy {
  /**
   * Creates a strategy.
   *
   * @param known options of {@code strategy_config}
   * @param options reads the layout options
   */
  protected ShardedTrainStrategy(
      ShardedModels models,
      List<Option<?>> known,
      Function<WorkerConfig, ParallelOptions> options) {
    super(models, known, options);
  }

  @Override
  public final List<String> notices(WorkerConfig worker) {
    adamW(worker);
    return ShardedModels.notices(worker, options(worker));
  }

  @Override
  public final TrainSession open(SessionConfig config) {
    return models.open(config, spec -> layout(config, spec));
  }

  @Override
  public final ValueSession openValues(SessionConfig config) {
    return models.openValues(config, spec -> layout(config, spec));
  }

  /** Refuses optimizers that need whole matrices: a rank has a share of the numbers. */
  private static void adamW(WorkerConfig worker) {
    OptimizerName optimizer = worker.training().optimizer();
    if (optimizer != OptimizerName.ADAMW) {
      throw new UserException(
          "%s.training_args.optimizer: %s: %s trains with adamw; local_train has others"
              .formatted(worker.role(), optimizer.text(), worker.strategy()));
    }
  }

  private ParallelLayout layout(SessionConfig config, DecoderSpec spec) {
    WorkerConfig worker = config.worker();
    adamW(worker);
    ShardedModels.check(worker);
    ParallelLayout layout = options(worker).layout(spec);
    List<String> frozen = worker.model().frozen();
    if (frozen.isEmpty()) {
      return layout;
    }
    String where = worker.role() + ".model_args.freeze_module_prefix";
    List<Integer> trained = TrainedParameters.allBut(spec, where, frozen);
    int tower = VisionTower.first(spec);
    long seeing = trained.stream().filter(i -> i >= tower).count();
    if (seeing > 0 && seeing < DecoderParameters.tower(spec).size()) {
      throw new UserException(
          "%s: %s: %s freezes a vision tower as a whole (visual) or not at all"
              .formatted(where, frozen, worker.strategy()));
    }
    return layout.withFrozen(frozen);
  }

  @Override
  public final List<SessionMemory> expected(
      SessionConfig config, DecoderSpec spec, SessionActivity activity) {
    return ShardedModels.expected(config, spec, layout(config, spec), true, activity);
  }

  @Override
  public final List<CollectiveVolume> traffic(
      SessionConfig config, DecoderSpec spec, SessionActivity activity, long samples) {
    return new TrafficEstimate(config, spec, layout(config, spec)).most(activity, samples);
  }
}
