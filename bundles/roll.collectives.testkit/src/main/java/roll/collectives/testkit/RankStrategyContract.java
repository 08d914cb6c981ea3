package roll.collectives.testkit;

import java.nio.file.Path;
import java.util.function.Function;
import org.junit.jupiter.api.io.TempDir;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainStrategy;
import roll.parallel.ShardedModels;
import roll.testkit.RankFixtures;
import roll.testkit.ShardedStrategyContract;

/** The guarantees of a sharded strategy, on ranks that are threads. */
public abstract class RankStrategyContract extends ShardedStrategyContract {
  private final RankModels models;
  private final RankFixtures runs;
  private final Function<ShardedModels, TrainStrategy> training;
  private final Function<ShardedModels, InferStrategy> inference;

  /**
   * Creates the test.
   *
   * @param folder empty folder, deleted after the test
   * @param models the model of {@code runs}, closed by the caller
   */
  protected RankStrategyContract(
      @TempDir Path folder,
      RankModels models,
      RankFixtures runs,
      Function<ShardedModels, TrainStrategy> training,
      Function<ShardedModels, InferStrategy> inference) {
    super(folder);
    this.models = models;
    this.runs = runs;
    this.training = training;
    this.inference = inference;
  }

  @Override
  protected final TrainStrategy training() {
    return training.apply(models.sharded());
  }

  @Override
  protected final InferStrategy inference() {
    return inference.apply(models.sharded());
  }

  @Override
  protected final RankFixtures runs() {
    return runs;
  }

  @Override
  protected final double[] alone(TokenBatch batch) {
    return models.logProbs(batch);
  }
}
