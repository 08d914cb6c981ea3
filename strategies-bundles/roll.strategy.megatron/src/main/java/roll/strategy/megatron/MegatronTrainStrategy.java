package roll.strategy.megatron;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.strategy.RollStrategy;
import roll.api.strategy.TrainStrategy;
import roll.torch.Models;
import roll.torch.collective.Collectives;
import roll.torch.parallel.Spread;
import roll.torch.parallel.SpreadTrainStrategy;

/** Trains a model whose layers are cut over tensor-parallel ranks and pipeline stages. */
@Component(name = "roll.strategy.megatron", service = TrainStrategy.class)
@RollStrategy("megatron_train")
public final class MegatronTrainStrategy extends SpreadTrainStrategy {
  /** A strategy over the model folders that {@code models} can read. */
  @Activate
  public MegatronTrainStrategy(@Reference Models models, @Reference Collectives collectives) {
    super(new Spread(models, collectives), MegatronOptions.known(), MegatronOptions::new);
  }
}
