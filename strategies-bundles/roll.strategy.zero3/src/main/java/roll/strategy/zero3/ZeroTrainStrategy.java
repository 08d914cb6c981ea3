package roll.strategy.zero3;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.OptionInfo;
import roll.api.config.WorkerConfig;
import roll.api.model.DecoderSpec;
import roll.api.strategy.Activity;
import roll.api.strategy.DeviceMemory;
import roll.api.strategy.RollStrategy;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainStrategy;
import roll.api.strategy.ValueSession;
import roll.torch.Models;
import roll.torch.collective.Collectives;
import roll.torch.parallel.Layout;
import roll.torch.parallel.Spread;

/** Trains a model on data-parallel ranks that share out what they hold (ZeRO, FSDP). */
@Component(name = "roll.strategy.zero3")
@RollStrategy({"zero3", "deepspeed_train", "fsdp2_train"})
public final class ZeroTrainStrategy implements TrainStrategy {
  private final Spread spread;

  /** A strategy over the model folders that {@code models} can read. */
  @Activate
  public ZeroTrainStrategy(@Reference Models models, @Reference Collectives collectives) {
    this.spread = new Spread(models, collectives);
  }

  @Override
  public List<OptionInfo> options() {
    return ZeroOptions.known();
  }

  @Override
  public List<String> notices(WorkerConfig worker) {
    Spread.check(worker);
    ZeroOptions options = new ZeroOptions(worker);
    options.layout();
    return options.notices();
  }

  @Override
  public TrainSession open(SessionConfig config) {
    return spread.open(config, spec -> layout(config));
  }

  @Override
  public ValueSession openValues(SessionConfig config) {
    return spread.openValues(config, spec -> layout(config));
  }

  private static Layout layout(SessionConfig config) {
    Spread.check(config.worker());
    return new ZeroOptions(config.worker()).layout();
  }

  @Override
  public List<DeviceMemory> expected(SessionConfig config, DecoderSpec spec, Activity activity) {
    return Spread.expected(config, spec, layout(config), true, activity);
  }
}
