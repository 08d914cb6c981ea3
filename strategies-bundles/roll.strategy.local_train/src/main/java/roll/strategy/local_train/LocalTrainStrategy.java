package roll.strategy.local_train;

import java.util.List;
import java.util.function.Function;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.WorkerConfig;
import roll.api.memory.Activity;
import roll.api.memory.DeviceMemory;
import roll.api.model.DecoderSpec;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.api.strategy.RollStrategy;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainStrategy;
import roll.api.strategy.ValueSession;
import roll.huggingface.ModelFolder;
import roll.torch.Device;
import roll.torch.model.Models;
import roll.torch.model.Trained;
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
              "micro-batches run at once, each with its share of the cores: pays for small"
                  + " models")
          .withDefault(1);
  private static final List<Option<?>> OPTIONS = List.of(LANES);

  private final Models models;

  /** A strategy over the model folders that {@code models} can read. */
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
    schedule(worker);
    oneDevice(worker);
    return List.of();
  }

  private static int lanes(WorkerConfig worker) {
    return worker.strategyOptions().checked(OPTIONS).get(LANES);
  }

  private static LearningRate schedule(WorkerConfig worker) {
    return LearningRate.of(worker.role() + ".training_args", worker.training().scheduler());
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
  public boolean measuresDivergences() {
    return true;
  }

  @Override
  public List<DeviceMemory> expected(SessionConfig config, DecoderSpec spec, Activity activity) {
    WorkerConfig worker = config.worker();
    LocalMemory memory = new LocalMemory(spec, trained(worker, spec), lanes(worker));
    return DeviceMemory.each(worker.devices(), memory.expected(config, activity));
  }

  private static List<Integer> trained(WorkerConfig worker, DecoderSpec spec) {
    return Trained.allBut(
        spec, worker.role() + ".model_args.freeze_module_prefix", worker.model().frozen());
  }

  @Override
  public TrainSession open(SessionConfig config) {
    WorkerConfig worker = config.worker();
    ModelFolder folder = models.folder(worker.role(), worker.model());
    if (folder.adapters() != null && worker.model().adapter() == null) {
      throw new UserException(
          ("%s.model_args: %s holds adapters; to train them on, give it as adapter_name_or_path and"
                  + " %s as model_name_or_path, or merge the two before")
              .formatted(worker.role(), worker.model().folder(), folder.path()));
    }
    return open(config, folder, LocalTrainSession::new);
  }

  @Override
  public ValueSession openValues(SessionConfig config) {
    WorkerConfig worker = config.worker();
    if (worker.model().adapted()) {
      throw new UserException(
          worker.role() + ".model_args: a value model is trained whole, not by adapters");
    }
    return open(config, models.valueFolder(worker.model()), LocalValueSession::new);
  }

  private <S extends LocalSession> S open(
      SessionConfig config, ModelFolder folder, Function<LocalSession.Setup, S> opening) {
    WorkerConfig worker = config.worker();
    int lanes = lanes(worker);
    LearningRate schedule = schedule(worker);
    oneDevice(worker);
    int longest = folder.spec().maxPositions();
    if (config.sequenceLength() > longest) {
      throw new UserException(
          "sequence_length: %d is more than max_position_embeddings %d of %s"
              .formatted(config.sequenceLength(), longest, folder.path()));
    }
    List<Integer> trained = trained(worker, folder.spec());
    Device device = models.devices().of(worker.devices(), config.deviceCount());
    var setup = new LocalSession.Setup(models, device, folder, trained, schedule, config, lanes);
    return device.call(() -> opening.apply(setup));
  }
}
