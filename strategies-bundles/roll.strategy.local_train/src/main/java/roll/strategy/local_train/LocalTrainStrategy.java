package roll.strategy.local_train;

import java.util.List;
import java.util.function.Function;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.OptimizerName;
import roll.api.config.WorkerConfig;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.api.strategy.RollStrategy;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainStrategy;
import roll.api.strategy.ValueSession;
import roll.decoder.DecoderParameters;
import roll.huggingface.ModelFolder;
import roll.torch.Device;
import roll.torch.model.Models;
import roll.torch.model.TrainedParameters;
import roll.torch.training.LearningRate;

/** Trains a whole model on one device. */
@Component(name = "roll.strategy.local_train")
@RollStrategy("local_train")
public final class LocalTrainStrategy implements TrainStrategy {
  private static final Option<Integer> LANES =
      Option.integer(
              "parallel_micro_batches",
              1,
              64,
              "micro-batches run in parallel, each with its share of the cores: faster for small"
                  + " models")
          .withDefault(1);
  private static final List<Option<?>> OPTIONS = List.of(LANES);

  private final Models models;

  /** Creates the strategy for model folders that {@code models} can read. */
  @Activate
  public LocalTrainStrategy(@Reference Models models) {
    this.models = models;
  }

  @Override
  public List<Option<?>> options() {
    return OPTIONS;
  }

  @Override
  public List<String> notices(WorkerConfig worker) {
    lanes(worker);
    var unused = LearningRate.of(worker);
    oneDevice(worker);
    return List.of();
  }

  private static int lanes(WorkerConfig worker) {
    return worker.strategyOptions().checked(OPTIONS).get(LANES);
  }

  private static void oneDevice(WorkerConfig worker) {
    if (worker.devices().size() > 1) {
      throw new UserException(
          ("%s.device_mapping: %s: local_train trains on one device; deepspeed_train (ZeRO) or"
                  + " megatron_train train on several")
              .formatted(worker.role(), worker.devices()));
    }
  }

  @Override
  public boolean dividesLogits() {
    return true;
  }

  @Override
  public boolean batchInvariant() {
    return true;
  }

  @Override
  public boolean measuresDivergences() {
    return true;
  }

  @Override
  public List<SessionMemory> expected(
      SessionConfig config, DecoderSpec spec, SessionActivity activity) {
    WorkerConfig worker = config.worker();
    boolean card = models.devices().accelerated(worker.devices());
    List<Integer> trained = trained(worker, spec);
    matrices(worker, spec, trained);
    LocalMemory memory = new LocalMemory(spec, trained, lanes(worker), card);
    return SessionMemory.each(worker.devices(), memory.expected(config, activity));
  }

  private static List<Integer> trained(WorkerConfig worker, DecoderSpec spec) {
    return TrainedParameters.allBut(
        spec, worker.role() + ".model_args.freeze_module_prefix", worker.model().frozen());
  }

  @Override
  public TrainSession open(SessionConfig config) {
    return open(config, models.trainedFolder(config.worker()), LocalTrainSession::new);
  }

  @Override
  public ValueSession openValues(SessionConfig config) {
    return open(config, models.trainedValueFolder(config.worker()), LocalValueSession::new);
  }

  /** Refuses an optimizer that would update every parameter by AdamW without saying so. */
  private static void matrices(WorkerConfig worker, DecoderSpec spec, List<Integer> trained) {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    if (worker.training().optimizer() == OptimizerName.MUON
        && trained.stream().map(all::get).noneMatch(DecoderParameters::hidden)) {
      throw new UserException(
          ("%s.training_args.optimizer: muon updates matrices of layers, and none is trained; adamw"
                  + " trains adapters, embeddings and heads")
              .formatted(worker.role()));
    }
  }

  private <S extends LocalSession> S open(
      SessionConfig config, ModelFolder folder, Function<LocalSession.Setup, S> opening) {
    WorkerConfig worker = config.worker();
    int lanes = lanes(worker);
    LearningRate schedule = LearningRate.of(worker);
    oneDevice(worker);
    folder.requirePositions(config.sequenceLength());
    List<Integer> trained = trained(worker, folder.spec());
    matrices(worker, folder.spec(), trained);
    Device device = models.devices().of(worker.devices(), config.deviceCount());
    var setup = new LocalSession.Setup(models, device, folder, trained, schedule, config, lanes);
    return device.call(() -> opening.apply(setup));
  }
}
