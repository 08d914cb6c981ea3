package roll.strategy.zero3;

import java.util.Map;
import roll.api.config.ModelConfig;
import roll.api.model.DecoderSpec;
import roll.collectives.testkit.RankModels;
import roll.decoder.DecoderParameters;
import roll.model.qwen2.Qwen2Family;
import roll.parallel.collective.Collectives;
import roll.testkit.RankFixtures;

/** The random model that plays FrozenLake: 3 layers, 6 heads. */
final class Tiny extends RankModels {
  static final RankFixtures RUNS = RankFixtures.frozenLake("zero3");

  Tiny() {
    super(RUNS.model());
    models().add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
  }

  ZeroTrainStrategy strategy() {
    return new ZeroTrainStrategy(sharded());
  }

  ZeroTrainStrategy strategy(Collectives collectives) {
    return new ZeroTrainStrategy(sharded(collectives));
  }

  /** With the adapters that {@code model} asks for. */
  DecoderSpec spec(ModelConfig model) {
    return models().folder("actor_train", model).spec();
  }

  /** Bytes of one layer's matrices, in f32. */
  double layerBytes() {
    return Float.BYTES
        * DecoderParameters.layer(spec(), 1).stream()
            .mapToLong(DecoderSpec.Parameter::size)
            .filter(size -> size > 96)
            .sum();
  }

  ZeroScoringStrategy frozen() {
    return new ZeroScoringStrategy(sharded());
  }
}
