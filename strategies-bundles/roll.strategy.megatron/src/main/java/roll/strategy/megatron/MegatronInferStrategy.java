package roll.strategy.megatron;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.RollStrategy;
import roll.parallel.ShardedInferStrategy;
import roll.parallel.ShardedModels;

/** Scores with a frozen model whose layers are cut over ranks and stages. */
@Component(name = "roll.strategy.megatron.infer", service = InferStrategy.class)
@RollStrategy("megatron_infer")
public final class MegatronInferStrategy extends ShardedInferStrategy {
  /** A strategy over the models that {@code spread} opens. */
  @Activate
  public MegatronInferStrategy(@Reference ShardedModels spread) {
    super(spread, MegatronOptions.known(), MegatronOptions::new);
  }
}
