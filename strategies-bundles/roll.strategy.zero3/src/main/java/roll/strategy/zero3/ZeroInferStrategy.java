package roll.strategy.zero3;

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

/** Scores with a frozen model whose parameters are cut over data-parallel ranks. */
@Component(name = "roll.strategy.zero3.infer")
@RollStrategy({"zero3_infer", "deepspeed_infer", "fsdp2_infer"})
public final class ZeroInferStrategy implements InferStrategy {
  private final Spread spread;

  /** A strategy over the model folders that {@code models} can read. */
  @Activate
  public ZeroInferStrategy(@Reference Models models, @Reference Collectives collectives) {
    this.spread = new Spread(models, collectives);
  }

  @Override
  public List<OptionInfo> options() {
    return ZeroOptions.known();
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
    ZeroOptions options = new ZeroOptions(worker);
    options.layout();
    return options.notices();
  }

  @Override
  public InferSession open(SessionConfig config) {
    return spread.openFrozen(config, spec -> new ZeroOptions(config.worker()).layout());
  }

  @Override
  public List<DeviceMemory> expected(SessionConfig config, DecoderSpec spec, Activity activity) {
    return Spread.expected(
        config, spec, new ZeroOptions(config.worker()).layout(), false, activity);
  }
}
