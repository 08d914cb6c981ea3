package roll.strategy.megatron;

import java.util.Map;
import roll.collectives.testkit.RankModels;
import roll.model.qwen2.Qwen2Family;
import roll.parallel.collective.Collectives;
import roll.testkit.RankFixtures;

/** The random model that plays FrozenLake: 3 layers, 6 heads. */
final class Tiny extends RankModels {
  static final RankFixtures RUNS = RankFixtures.frozenLake("megatron_train");

  Tiny() {
    super(RUNS.model());
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
}
