package roll.strategy.local_train;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.scoring.Distributions;
import roll.api.scoring.GeneralizedJsd;
import roll.api.strategy.LossFunction;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.UpdateReport;
import roll.torch.model.ModelDistributions;
import roll.torch.model.Teacher;
import roll.torch.training.HeadOutputLoss;

/** A language model in training. */
final class LocalTrainSession extends LocalSession implements TrainSession {
  /** Creates a local train session and reads the weights. Only on the compute thread. */
  LocalTrainSession(Setup setup) {
    super(setup);
  }

  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    return ask((scorer, parameters) -> scorer.score(parameters, batch));
  }

  @Override
  public CompletableFuture<Scores> scoreBase(TokenBatch batch) {
    return askBase((scorer, parameters) -> scorer.score(parameters, batch));
  }

  @Override
  public CompletableFuture<double[]> divergences(
      TokenBatch batch, @Nullable Distributions reference) {
    return compare((scorer, parameters) -> scorer.divergences(parameters, batch, model(reference)));
  }

  private ModelDistributions model(@Nullable Distributions reference) {
    return switch (reference) {
      case null -> base();
      case ModelDistributions model -> model;
      default ->
          throw new IllegalArgumentException(
              "distributions of another compute layer: " + reference);
    };
  }

  @Override
  public CompletableFuture<UpdateReport> update(TokenBatch batch, LossFunction loss) {
    return train(batch, HeadOutputLoss.ofScores(loss));
  }

  @Override
  public CompletableFuture<UpdateReport> update(
      TokenBatch batch,
      @Nullable Distributions teacher,
      GeneralizedJsd divergence,
      LossFunction loss) {
    return train(
        batch, HeadOutputLoss.ofDistilled(loss), () -> new Teacher(model(teacher), divergence));
  }
}
