package roll.parallel;

import java.util.concurrent.CompletableFuture;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.UpdateReport;
import roll.api.strategy.ValueLossFunction;
import roll.api.strategy.ValueSession;
import roll.torch.training.HeadOutputLoss;

/** A value model in training on several ranks. */
final class ShardedValueSession extends ShardedSession implements ValueSession {
  ShardedValueSession(Setup setup) {
    super(setup);
  }

  @Override
  public CompletableFuture<double[]> values(TokenBatch batch) {
    return ask(batch, 1, true).thenApply(columns -> columns[0]);
  }

  @Override
  public CompletableFuture<UpdateReport> update(TokenBatch batch, ValueLossFunction loss) {
    return train(batch, HeadOutputLoss.ofValues(loss));
  }
}
