package roll.strategy.megatron;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.strategy.RollStrategy;
import roll.api.strategy.TrainStrategy;
import roll.torch.collective.Collectives;
import roll.torch.model.Models;
import roll.torch.parallel.ShardedModels;
import roll.torch.parallel.ShardedTrainStrategy;

/** Trains a model whose layers are cut over tensor-parallel ranks and pipeline stages. */
@Component(name = "roll.strategy.megatron", service = TrainStrategy.class)
@RollStrategy("megatron_train")
public final class MegatronTrainStrategy extends ShardedTrainStrategy {
  /** A strategy over the model folders that {@code models} can read. */
  @Activate
  public MegatronTrainStrategy(@Reference Models models, @Reference Collectives collectives) {
    super(new ShardedModels(models, collectives), MegatronOptions.known(), MegatronOptions::new);
  }
}
