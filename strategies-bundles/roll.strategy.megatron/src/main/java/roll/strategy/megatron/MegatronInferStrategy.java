package roll.strategy.megatron;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.RollStrategy;
import roll.torch.collective.Collectives;
import roll.torch.model.Models;
import roll.torch.parallel.ShardedInferStrategy;
import roll.torch.parallel.ShardedModels;

/** Scores with a frozen model whose layers are cut over ranks and stages. */
@Component(name = "roll.strategy.megatron.infer", service = InferStrategy.class)
@RollStrategy("megatron_infer")
public final class MegatronInferStrategy extends ShardedInferStrategy {
  /** A strategy over the model folders that {@code models} can read. */
  @Activate
  public MegatronInferStrategy(@Reference Models models, @Reference Collectives collectives) {
    super(new ShardedModels(models, collectives), MegatronOptions.known(), MegatronOptions::new);
  }
}
