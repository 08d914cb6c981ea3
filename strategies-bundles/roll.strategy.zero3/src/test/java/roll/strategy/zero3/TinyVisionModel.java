package roll.strategy.zero3;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import roll.api.config.ModelConfig;
import roll.api.data.RandomStreams;
import roll.api.image.Picture;
import roll.api.strategy.LossFunction;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.collectives.testkit.RankModels;
import roll.image.FolderImageProcessors;
import roll.model.qwen2.Qwen2Family;
import roll.model.qwen2_5_vl.Qwen25VlFamily;
import roll.parallel.collective.Collectives;
import roll.testkit.RankFixtures;
import roll.testkit.TinyQwenVl;

/** A folder with a small model that sees, and samples that show pictures. */
final class TinyVisionModel extends RankModels {
  static final int SAMPLES = 8;

  TinyVisionModel(Path folder) throws IOException {
    super(TinyQwenVl.write(folder, Tiny.RUNS.model()));
    models().add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
    models().add(new Qwen25VlFamily(), Map.of("roll.model", new String[] {"qwen2_5_vl"}));
    models().setImageProcessors(new FolderImageProcessors());
  }

  ZeroTrainStrategy strategy() {
    return new ZeroTrainStrategy(sharded());
  }

  ZeroTrainStrategy strategy(Collectives collectives) {
    return new ZeroTrainStrategy(sharded(collectives));
  }

  ZeroScoringStrategy frozen() {
    return new ZeroScoringStrategy(sharded());
  }

  /** Stage 3, at which little stays on every rank. */
  static SessionConfig config(ModelConfig model, int devices) {
    RankFixtures runs = new RankFixtures("zero3", model.folder(), TinyQwenVl.VOCABULARY, 128);
    Map<String, Object> zero = Map.of("stage", 3, "stage3_param_persistence_threshold", 40);
    Map<String, Object> options = Map.of("zero_optimization", zero);
    return RankFixtures.config(runs.worker("actor_train", model, devices, options));
  }

  /**
   * Samples of {@link RankFixtures#LENGTH} tokens, the first {@code seeing} of which show a
   * picture.
   */
  static TokenBatch batch(int seeing) {
    RandomGenerator random = RandomStreams.of(1, "words");
    int[] prompt = TinyQwenVl.prompt();
    int[] offsets = new int[SAMPLES + 1];
    Arrays.setAll(offsets, i -> i * RankFixtures.LENGTH);
    int[] tokens = random.ints(offsets[SAMPLES], 0, 140).toArray();
    boolean[] scored = new boolean[tokens.length];
    List<List<Picture>> pictures = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      Arrays.fill(scored, offsets[i] + prompt.length, offsets[i + 1], true);
      if (i < seeing) {
        System.arraycopy(prompt, 0, tokens, offsets[i], prompt.length);
        pictures.add(List.of(TinyQwenVl.pictures().get(i % 2)));
      } else {
        pictures.add(List.of());
      }
    }
    return new TokenBatch(offsets, tokens, scored, pictures);
  }

  /** Minus the mean log-prob of the scored tokens. */
  static LossFunction likelihood(TokenBatch batch) {
    return RankFixtures.likelihood(batch, 0.01);
  }
}
