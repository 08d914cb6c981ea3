package roll.parallel;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.api.memory.SessionMemory;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.WeightsHandle;
import roll.torch.model.WeightSource;

/** A frozen model on several ranks, for scoring only. */
final class ShardedInferSession implements InferSession {
  private final ShardedModel model;

  ShardedInferSession(ShardedSession.Setup setup) {
    this.model = new ShardedModel(setup, false);
  }

  /** Fails, since these ranks only score. */
  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException("this strategy scores, but does not generate responses"));
  }

  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    return model
        .columns(batch, 3, true)
        .thenApply(columns -> new Scores(columns[0], columns[1], columns[2]));
  }

  @Override
  public CompletableFuture<Void> update(WeightsHandle weights) {
    return model.submit(
        () -> {
          if (!(weights instanceof WeightSource source)
              || !source.spec().equals(model.state().spec())) {
            throw new IllegalArgumentException("weights of another model: " + weights);
          }
          model.fill(source);
          model.state().resume(source.version());
          return null;
        });
  }

  @Override
  public List<SessionMemory> peakMemory() {
    return model.peakMemory();
  }

  @Override
  public void close() {
    model.close();
  }
}
