package roll.strategy.zero3;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.strategy.RollStrategy;
import roll.api.strategy.TrainStrategy;
import roll.parallel.ShardedModels;
import roll.parallel.ShardedTrainStrategy;

/** Trains a model sharded over data-parallel ranks (ZeRO, FSDP). */
@Component(name = "roll.strategy.zero3", service = TrainStrategy.class)
@RollStrategy({"zero3", "deepspeed_train", "fsdp2_train"})
public final class ZeroTrainStrategy extends ShardedTrainStrategy {
  /** Creates the strategy over models of {@code spread}. */
  @Activate
  public ZeroTrainStrategy(@Reference ShardedModels spread) {
    super(spread, ZeroOptions.known(), ZeroOptions::new);
  }
}
