package roll.strategy.zero3;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.strategy.RollStrategy;
import roll.api.strategy.TrainStrategy;
import roll.parallel.ShardedModels;
import roll.parallel.ShardedTrainStrategy;

/** Trains a model on data-parallel ranks that share out what they hold (ZeRO, FSDP). */
@Component(name = "roll.strategy.zero3", service = TrainStrategy.class)
@RollStrategy({"zero3", "deepspeed_train", "fsdp2_train"})
public final class ZeroTrainStrategy extends ShardedTrainStrategy {
  /** A strategy over the models that {@code spread} opens. */
  @Activate
  public ZeroTrainStrategy(@Reference ShardedModels spread) {
    super(spread, ZeroOptions.known(), ZeroOptions::new);
  }
}
