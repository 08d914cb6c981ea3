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
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
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
 * The service that opens models on several ranks, for strategies that differ in the names of their
 * layout options. The ranks are threads of this process, unless a {@link RankPlacement} places them
 * in other processes.
 */
@Component(name = "roll.parallel", service = ShardedModels.class)
public final class ShardedModels {
  private final Models models;
  private final Collectives collectives;
  private volatile @Nullable RankPlacement placement;

  /**
   * Creates the service.
   *
   * @param models reads model folders
   * @param collectives connect the ranks
   */
  @Activate
  public ShardedModels(@Reference Models models, @Reference Collectives collectives) {
    this.models = models;
    this.collectives = collectives;
  }

  /** Sets the placement of ranks. */
  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  public void setPlacement(RankPlacement placement) {
    this.placement = placement;
  }

  /** Unsets the placement; Declarative Services calls this by its name. */
  public void unsetPlacement(RankPlacement last) {
    if (last.equals(placement)) {
      placement = null;
    }
  }

  /** Provides the layout for a model. */
  @ConsumerType
  @FunctionalInterface
  public interface Layouts {
    /**
     * Returns the parallel layout for the decoder {@code spec}.
     *
     * @throws UserException if it does not divide the model
     */
    ParallelLayout of(DecoderSpec spec);
  }

  /**
   * Opens a language model for training; the caller closes it.
   *
   * @throws UserException if the model or the layout cannot be used
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

  /** Opens a value model for training, like {@link #open}. */
  public ValueSession openValues(SessionConfig config, Layouts layouts) {
    return new ShardedValueSession(
        setup(config, models.trainedValueFolder(config.worker()), layouts, true));
  }

  /** Opens a frozen language model for scoring, like {@link #open}. */
  public InferSession openFrozen(SessionConfig config, Layouts layouts) {
    WorkerConfig worker = config.worker();
    return new ShardedInferSession(
        setup(config, models.folder(worker.role(), worker.model()), layouts, false));
  }

  /**
   * Returns the estimated peak memory of each device during {@code activity}.
   *
   * @param trains whether the model is trained
   */
  public static List<SessionMemory> expected(
      SessionConfig config,
      DecoderSpec spec,
      ParallelLayout layout,
      boolean trains,
      SessionActivity activity) {
    WorkerConfig worker = config.worker();
    long train =
        worker.budgets().train() > 0
            ? worker.budgets().train()
            : (long) worker.training().microBatch() * config.sequenceLength();
    long tokens = activity == SessionActivity.SCORE ? LocalRanks.tokens(config) : train;
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
   * Checks the requirements of all layouts on {@code worker}, before anything is loaded.
   *
   * @throws UserException naming the first wrong value
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
   * Returns one line for each option of a worker without effect, after {@link #check} and reading
   * all options.
   *
   * @throws UserException naming the first wrong value
   */
  static List<String> notices(WorkerConfig worker, ParallelOptions options) {
    check(worker);
    var unused = options.layout();
    return options.notices();
  }
}
