package roll.strategy.zero3;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.RollStrategy;
import roll.torch.collective.Collectives;
import roll.torch.model.Models;
import roll.torch.parallel.ShardedInferStrategy;
import roll.torch.parallel.ShardedModels;

/** Scores with a frozen model whose parameters are cut over data-parallel ranks. */
@Component(name = "roll.strategy.zero3.infer", service = InferStrategy.class)
@RollStrategy({"zero3_infer", "deepspeed_infer", "fsdp2_infer"})
public final class ZeroInferStrategy extends ShardedInferStrategy {
  /** A strategy over the model folders that {@code models} can read. */
  @Activate
  public ZeroInferStrategy(@Reference Models models, @Reference Collectives collectives) {
    super(new ShardedModels(models, collectives), ZeroOptions.known(), ZeroOptions::new);
  }
}
