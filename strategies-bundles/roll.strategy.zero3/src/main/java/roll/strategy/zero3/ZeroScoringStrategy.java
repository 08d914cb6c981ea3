package roll.strategy.zero3;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.RollStrategy;
import roll.parallel.ShardedInferStrategy;
import roll.parallel.ShardedModels;

/** Scores with a frozen model whose parameters are sharded over data-parallel ranks. */
@Component(name = "roll.strategy.zero3.infer", service = InferStrategy.class)
@RollStrategy({"zero3_infer", "deepspeed_infer", "fsdp2_infer"})
public final class ZeroScoringStrategy extends ShardedInferStrategy {
  /** Creates the strategy over models of {@code spread}. */
  @Activate
  public ZeroScoringStrategy(@Reference ShardedModels spread) {
    super(spread, ZeroOptions.known(), ZeroOptions::new);
  }
}
