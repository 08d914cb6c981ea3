package roll.strategy.megatron;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.RollStrategy;
import roll.parallel.ShardedInferStrategy;
import roll.parallel.ShardedModels;

/** Scores with a frozen model on tensor-parallel ranks and pipeline stages. */
@Component(name = "roll.strategy.megatron.infer", service = InferStrategy.class)
@RollStrategy("megatron_infer")
public final class MegatronScoringStrategy extends ShardedInferStrategy {
  /** Creates the strategy over models of {@code spread}. */
  @Activate
  public MegatronScoringStrategy(@Reference ShardedModels spread) {
    super(spread, MegatronOptions.known(), MegatronOptions::new);
  }
}
