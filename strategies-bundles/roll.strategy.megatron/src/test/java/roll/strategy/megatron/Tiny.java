package roll.strategy.megatron;

import java.nio.file.Path;
import java.util.Map;
import roll.api.strategy.TokenBatch;
import roll.collectives.testkit.RankModels;
import roll.model.qwen2.Qwen2Family;
import roll.parallel.collective.Collectives;
import roll.testkit.RankFixtures;

/** The random model that plays FrozenLake: 3 layers, 6 heads. */
final class Tiny extends RankModels {
  static final Path SHIPPED =
      Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");

  /** Trains it, which knows 144 words and takes 512 at once. */
  static final RankFixtures RUNS = new RankFixtures("megatron_train", SHIPPED, 144, 512);

  Tiny() {
    super(SHIPPED);
    models().add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
  }

  MegatronTrainStrategy strategy() {
    return new MegatronTrainStrategy(sharded());
  }

  MegatronTrainStrategy strategy(Collectives collectives) {
    return new MegatronTrainStrategy(sharded(collectives));
  }

  MegatronScoringStrategy frozen() {
    return new MegatronScoringStrategy(sharded());
  }

  /** Returns the initial scores of {@code batch} on one device. */
  double[] logProbs(TokenBatch batch) {
    return logProbs(batch, RankFixtures.LENGTH, RankFixtures.SEED);
  }
}
