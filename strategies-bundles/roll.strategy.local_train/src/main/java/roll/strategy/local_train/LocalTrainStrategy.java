package roll.strategy.local_train;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.OptionInfo;
import roll.api.config.UserException;
import roll.api.config.WorkerConfig;
import roll.api.strategy.RollStrategy;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainStrategy;
import roll.torch.Device;
import roll.torch.ModelFolder;
import roll.torch.Models;

/** Trains a whole model on one device. */
@Component(name = "roll.strategy.local_train")
@RollStrategy("local_train")
public final class LocalTrainStrategy implements TrainStrategy {
  private final Models models;

  /** A strategy over the model folders that {@code models} can read. */
  @Activate
  public LocalTrainStrategy(@Reference Models models) {
    this.models = models;
  }

  @Override
  public List<OptionInfo> options() {
    return List.of();
  }

  @Override
  public TrainSession open(SessionConfig config) {
    WorkerConfig worker = config.worker();
    refuseOptions(worker);
    LearningRate schedule =
        LearningRate.of(worker.role() + ".training_args", worker.training().scheduler());
    ModelFolder folder = models.folder(worker.model());
    int longest = folder.spec().maxPositions();
    if (config.sequenceLength() > longest) {
      throw new UserException(
          "sequence_length: %d is more than max_position_embeddings %d of %s"
              .formatted(config.sequenceLength(), longest, folder.path()));
    }
    Device device = models.devices().of(worker.devices());
    return device.call(() -> new LocalTrainSession(models, device, folder, schedule, config));
  }

  private static void refuseOptions(WorkerConfig worker) {
    worker.strategyOptions().keySet().stream()
        .sorted()
        .findFirst()
        .ifPresent(
            key -> {
              throw new UserException(
                  "%s.strategy_args.strategy_config: unknown key '%s': local_train has no options"
                          .formatted(worker.role(), key)
                      + " (settings of deepspeed_train or megatron_train do not apply to it)");
            });
  }
}
