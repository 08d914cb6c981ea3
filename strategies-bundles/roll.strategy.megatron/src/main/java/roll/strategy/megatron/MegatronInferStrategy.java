package roll.strategy.megatron;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.OptionInfo;
import roll.api.config.UserException;
import roll.api.config.WorkerConfig;
import roll.api.model.DecoderSpec;
import roll.api.strategy.Activity;
import roll.api.strategy.DeviceMemory;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.RollStrategy;
import roll.api.strategy.SessionConfig;
import roll.torch.Models;
import roll.torch.collective.Collectives;
import roll.torch.parallel.Spread;

/** Scores with a frozen model whose layers are cut over ranks and stages. */
@Component(name = "roll.strategy.megatron.infer")
@RollStrategy("megatron_infer")
public final class MegatronInferStrategy implements InferStrategy {
  private final Spread spread;

  /** A strategy over the model folders that {@code models} can read. */
  @Activate
  public MegatronInferStrategy(@Reference Models models, @Reference Collectives collectives) {
    this.spread = new Spread(models, collectives);
  }

  @Override
  public List<OptionInfo> options() {
    return MegatronOptions.known();
  }

  @Override
  public List<String> notices(WorkerConfig worker) {
    if (worker.role().equals("actor_infer")) {
      throw new UserException(
          "actor_infer.strategy_args.strategy_name: %s scores, but does not write responses (vllm,"
                  .formatted(worker.strategy())
              + " sglang and hf_infer do)");
    }
    Spread.check(worker);
    MegatronOptions options = new MegatronOptions(worker);
    options.layout();
    return options.notices();
  }

  @Override
  public InferSession open(SessionConfig config) {
    return spread.openFrozen(config, spec -> new MegatronOptions(config.worker()).layout(spec));
  }

  @Override
  public List<DeviceMemory> expected(SessionConfig config, DecoderSpec spec, Activity activity) {
    return Spread.expected(
        config, spec, new MegatronOptions(config.worker()).layout(spec), false, activity);
  }
}
