package roll.strategy.zero3;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.strategy.RollStrategy;
import roll.api.strategy.TrainStrategy;
import roll.torch.collective.Collectives;
import roll.torch.model.Models;
import roll.torch.parallel.ShardedModels;
import roll.torch.parallel.ShardedTrainStrategy;

/** Trains a model on data-parallel ranks that share out what they hold (ZeRO, FSDP). */
@Component(name = "roll.strategy.zero3", service = TrainStrategy.class)
@RollStrategy({"zero3", "deepspeed_train", "fsdp2_train"})
public final class ZeroTrainStrategy extends ShardedTrainStrategy {
  /** A strategy over the model folders that {@code models} can read. */
  @Activate
  public ZeroTrainStrategy(@Reference Models models, @Reference Collectives collectives) {
    super(new ShardedModels(models, collectives), ZeroOptions.known(), ZeroOptions::new);
  }
}
