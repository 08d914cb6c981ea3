package roll.strategy.megatron;

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

/** Trains a model whose layers are cut over tensor-parallel ranks and pipeline stages. */
@Component(name = "roll.strategy.megatron")
@RollStrategy("megatron_train")
public final class MegatronTrainStrategy implements TrainStrategy {
  private final Spread spread;

  /** A strategy over the model folders that {@code models} can read. */
  @Activate
  public MegatronTrainStrategy(@Reference Models models, @Reference Collectives collectives) {
    this.spread = new Spread(models, collectives);
  }

  @Override
  public List<OptionInfo> options() {
    return MegatronOptions.known();
  }

  @Override
  public List<String> notices(WorkerConfig worker) {
    Spread.check(worker);
    MegatronOptions options = new MegatronOptions(worker);
    options.layout();
    return options.notices();
  }

  @Override
  public TrainSession open(SessionConfig config) {
    return spread.open(config, spec -> layout(config, spec));
  }

  @Override
  public ValueSession openValues(SessionConfig config) {
    return spread.openValues(config, spec -> layout(config, spec));
  }

  private static Layout layout(SessionConfig config, DecoderSpec spec) {
    Spread.check(config.worker());
    return new MegatronOptions(config.worker()).layout(spec);
  }

  @Override
  public List<DeviceMemory> expected(SessionConfig config, DecoderSpec spec, Activity activity) {
    return Spread.expected(config, spec, layout(config, spec), true, activity);
  }
}
