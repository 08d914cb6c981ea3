package roll.parallel;

import java.util.concurrent.CompletableFuture;
import roll.api.strategy.LossFunction;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.UpdateReport;
import roll.torch.training.HeadOutputLoss;

/** A language model in training on several ranks. */
final class ShardedTrainSession extends ShardedSession implements TrainSession {
  private final boolean adapted;

  ShardedTrainSession(Setup setup) {
    super(setup);
    this.adapted = setup.folder().spec().adapter() != null;
  }

  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    return scores(batch, true);
  }

  private CompletableFuture<Scores> scores(TokenBatch batch, boolean adapted) {
    return ask(batch, 3, adapted)
        .thenApply(columns -> new Scores(columns[0], columns[1], columns[2]));
  }

  @Override
  public CompletableFuture<Scores> scoreBase(TokenBatch batch) {
    return adapted
        ? scores(batch, false)
        : CompletableFuture.failedFuture(
            new UnsupportedOperationException("the model has no adapters"));
  }

  @Override
  public CompletableFuture<UpdateReport> update(TokenBatch batch, LossFunction loss) {
    return train(batch, HeadOutputLoss.ofScores(loss));
  }
}
