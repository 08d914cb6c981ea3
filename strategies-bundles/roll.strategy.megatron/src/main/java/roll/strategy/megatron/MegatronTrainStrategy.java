package roll.strategy.megatron;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.strategy.RollStrategy;
import roll.api.strategy.TrainStrategy;
import roll.parallel.ShardedModels;
import roll.parallel.ShardedTrainStrategy;

/** Trains a model on tensor-parallel ranks and pipeline stages. */
@Component(name = "roll.strategy.megatron", service = TrainStrategy.class)
@RollStrategy("megatron_train")
public final class MegatronTrainStrategy extends ShardedTrainStrategy {
  /** Creates the strategy over models of {@code spread}. */
  @Activate
  public MegatronTrainStrategy(@Reference ShardedModels spread) {
    super(spread, MegatronOptions.known(), MegatronOptions::new);
  }
}
