package roll.strategy.zero3;

import java.nio.file.Path;
import java.util.Map;
import roll.api.config.ModelConfig;
import roll.api.model.DecoderSpec;
import roll.api.strategy.TokenBatch;
import roll.collectives.testkit.RankModels;
import roll.decoder.DecoderParameters;
import roll.model.qwen2.Qwen2Family;
import roll.parallel.collective.Collectives;
import roll.testkit.RankFixtures;

/** The random model that plays FrozenLake: 3 layers, 6 heads. */
final class Tiny extends RankModels {
  static final Path SHIPPED =
      Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");

  /** Trains it, which knows 144 words and takes 512 at once. */
  static final RankFixtures RUNS = new RankFixtures("zero3", SHIPPED, 144, 512);

  Tiny() {
    super(SHIPPED);
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

  /** Returns the initial scores of {@code batch} on one device. */
  double[] logProbs(TokenBatch batch) {
    return logProbs(batch, RankFixtures.LENGTH, RankFixtures.SEED);
  }
}
