package roll.strategy.local_train;

import java.util.concurrent.CompletableFuture;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.UpdateReport;
import roll.api.strategy.ValueLossFunction;
import roll.api.strategy.ValueSession;
import roll.torch.training.HeadOutputLoss;

/** A value model in training. */
final class LocalValueSession extends LocalSession implements ValueSession {
  /** Creates a local value session and reads the weights. Only on the compute thread. */
  LocalValueSession(Setup setup) {
    super(setup);
  }

  @Override
  public CompletableFuture<double[]> values(TokenBatch batch) {
    return ask((scorer, parameters) -> scorer.values(parameters, batch));
  }

  @Override
  public CompletableFuture<UpdateReport> update(TokenBatch batch, ValueLossFunction loss) {
    return train(batch, HeadOutputLoss.ofValues(loss));
  }
}
