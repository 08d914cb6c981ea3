package roll.parallel;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import roll.api.config.LoraConfig;
import roll.api.config.WorkerConfig;
import roll.api.memory.Activity;
import roll.api.memory.DeviceMemory;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.api.strategy.InferSession;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TrainSession;
import roll.api.strategy.ValueSession;
import roll.huggingface.ModelFolder;
import roll.parallel.collective.Collectives;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.world.RankPlacement;
import roll.parallel.world.RankWorld;
import roll.parallel.world.ShardedModelSpec;
import roll.torch.Device;
import roll.torch.model.Models;
import roll.torch.training.LearningRate;

/**
 * Opens models for training on several ranks, for strategies that differ in how they name the
 * layout: a service. The ranks are threads of this process, unless a {@link RankPlacement} is there
 * and says otherwise.
 */
@Component(name = "roll.parallel", service = ShardedModels.class)
public final class ShardedModels {
  private final Models models;
  private final Collectives collectives;
  private volatile @Nullable RankPlacement placement;

  /**
   * Opens models.
   *
   * @param models where model folders are read
   * @param collectives how ranks meet
   */
  @Activate
  public ShardedModels(@Reference Models models, @Reference Collectives collectives) {
    this.models = models;
    this.collectives = collectives;
  }

  /** From now on {@code placement} decides where ranks are. */
  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  public void setPlacement(RankPlacement placement) {
    this.placement = placement;
  }

  /** It does not any more. */
  public void unsetPlacement(RankPlacement last) {
    if (last.equals(placement)) {
      placement = null;
    }
  }

  /** A layout for a model and its configuration. */
  @ConsumerType
  @FunctionalInterface
  public interface Layouts {
    /**
     * The layout for {@code spec}.
     *
     * @throws UserException if it does not fit
     */
    ParallelLayout of(DecoderSpec spec);
  }

  /**
   * A language model in training; the caller closes it.
   *
   * @throws UserException if the model or the layout does not fit
   */
  public TrainSession open(SessionConfig config, Layouts layouts) {
    WorkerConfig worker = config.worker();
    ModelFolder folder = models.trainedFolder(worker);
    Adapter adapter = folder.spec().adapter();
    if (adapter != null && adapter.dropout() > 0) {
      throw new UserException(
          "%s.model_args: the adapters of %s were made with lora_dropout %s: %s trains adapters without dropout (0); local_train has it"
              .formatted(
                  worker.role(), worker.model().adapter(), adapter.dropout(), worker.strategy()));
    }
    return new ShardedTrainSession(setup(config, folder, layouts, true));
  }

  /** A value model in training; as {@link #open}. */
  public ValueSession openValues(SessionConfig config, Layouts layouts) {
    return new ShardedValueSession(
        setup(config, models.trainedValueFolder(config.worker()), layouts, true));
  }

  /** A frozen language model that scores; as {@link #open}. */
  public InferSession openFrozen(SessionConfig config, Layouts layouts) {
    WorkerConfig worker = config.worker();
    return new ShardedInferSession(
        setup(config, models.folder(worker.role(), worker.model()), layouts, false));
  }

  /**
   * Most that each device holds while it does {@code activity}: what theory says.
   *
   * @param trains whether the model is trained
   */
  public static List<DeviceMemory> expected(
      SessionConfig config,
      DecoderSpec spec,
      ParallelLayout layout,
      boolean trains,
      Activity activity) {
    WorkerConfig worker = config.worker();
    long train =
        worker.budgets().train() > 0
            ? worker.budgets().train()
            : (long) worker.training().microBatch() * config.sequenceLength();
    long tokens = activity == Activity.SCORE ? LocalRanks.tokens(config) : train;
    return new MemoryEstimate(spec, layout, trains, worker.model().dtype())
        .most(worker.devices(), activity, tokens);
  }

  private ShardedSession.Setup setup(
      SessionConfig config, ModelFolder folder, Layouts layouts, boolean trains) {
    WorkerConfig worker = config.worker();
    folder.requirePositions(config.sequenceLength());
    ParallelLayout layout = layouts.of(folder.spec());
    RankPlacement places = placement;
    RankWorld world =
        places == null
            ? null
            : places.place(new ShardedModelSpec(config, folder.spec(), layout, trains));
    SessionConfig here = world == null ? config : world.here().config();
    List<Integer> numbers = here.worker().devices();
    List<Device> devices =
        numbers.isEmpty()
            ? List.of(models.devices().whole())
            : models.devices().ranks(numbers, here.deviceCount());
    Offload offload = layout.offload();
    if (devices.stream().anyMatch(Device::accelerated)
        && (offload.optimizer() || offload.parameters())) {
      throw new UserException(
          "%s.strategy_args: offloading to files is for ranks on the CPU; on cards state stays on the card"
              .formatted(worker.role()));
    }
    return new ShardedSession.Setup(
        models, collectives, devices, folder, LearningRate.of(worker), config, layout, world);
  }

  /**
   * Checks what every layout asks of {@code worker}, before anything is loaded.
   *
   * @throws UserException for what is wrong
   */
  public static void check(WorkerConfig worker) {
    LoraConfig lora = worker.model().lora();
    if (lora != null && lora.dropout() > 0) {
      throw new UserException(
          "%s.model_args.lora_dropout: %s: %s trains adapters without dropout (0); local_train has it"
              .formatted(worker.role(), lora.dropout(), worker.strategy()));
    }
    var unused = LearningRate.of(worker);
  }

  /**
   * What a worker's options say that does nothing, after {@link #check} and a look at all of them.
   *
   * @throws UserException for what is wrong
   */
  static List<String> notices(WorkerConfig worker, ParallelOptions options) {
    check(worker);
    var unused = options.layout();
    return options.notices();
  }
}
