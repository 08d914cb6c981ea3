package roll.cluster.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.image.Picture;
import roll.api.strategy.Gradients;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.cluster.Membership;
import roll.parallel.ShardedModels;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.testkit.RankFixtures;
import roll.testkit.TinyQwenVl;

/** Training a vision model on two nodes is bit-for-bit identical to training in one process. */
@Tag("processes")
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VisionNodesTest {
  @TempDir Path folder;

  private static ParallelLayout layout(boolean frozen) {
    ParallelLayout layout =
        new ParallelLayout(
            2, 1, 1, 3, false, ParallelLayout.Recompute.FULL, 40, true, Offload.NOTHING);
    return frozen ? layout.withFrozen(List.of("visual")) : layout;
  }

  /** Three samples of 14 tokens, the first {@code seeing} of which have an image. */
  private static TokenBatch batch(int seeing, List<Picture> shown) {
    int[] prompt = TinyQwenVl.prompt();
    int[] tokens = new int[3 * 14];
    boolean[] scored = new boolean[tokens.length];
    Arrays.setAll(tokens, t -> t % 100);
    for (int i = 0; i < seeing; i++) {
      System.arraycopy(prompt, 0, tokens, 14 * i, prompt.length);
    }
    for (int i = 0; i < 3; i++) {
      Arrays.fill(scored, 14 * i + prompt.length, 14 * (i + 1), true);
    }
    List<List<Picture>> pictures =
        List.of(List.of(shown.get(0)), seeing > 1 ? List.of(shown.get(1)) : List.of(), List.of());
    return new TokenBatch(new int[] {0, 14, 28, 42}, tokens, scored, pictures);
  }

  /**
   * Returns log-probs after two steps, the second with images on one node only; saves to {@code
   * to}.
   */
  private static double[] train(
      ShardedModels models, SessionConfig config, boolean frozen, List<Picture> shown, Path to) {
    try (TrainSession session = models.open(config, spec -> layout(frozen))) {
      for (int seeing = 2; seeing > 0; seeing--) {
        TokenBatch batch = batch(seeing, shown);
        var report =
            session
                .update(
                    batch,
                    (samples, scores) -> {
                      double[] by = new double[scores.logProbs().length];
                      Arrays.setAll(by, cell -> -0.02 * (1 + Math.sin(scores.logProbs()[cell])));
                      return new Gradients(by, new double[by.length]);
                    })
                .join();
        assertTrue(report.gradNorm() > 0);
      }
      session.save(to).join();
      return session.score(batch(2, shown)).join().logProbs();
    }
  }

  /** Large images exceed the size of a message. */
  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true"})
  void resultsAreThoseOfOneProcess(boolean frozen, boolean large) throws Exception {
    Path model = TinyQwenVl.write(folder.resolve("model"), TwoNodes.RUNS.model());
    Files.writeString(
        model.resolve("preprocessor_config.json"),
        """
        {"image_processor_type": "Qwen2VLImageProcessor", "min_pixels": 784, "max_pixels": 5000}
        """);
    int scale = large ? 18 : 1;
    List<Picture> shown =
        List.of(
            TinyQwenVl.picture(84 * scale, 56 * scale, 1),
            TinyQwenVl.picture(84 * scale, 56 * scale, 2));
    assertEquals(
        large, shown.stream().mapToLong(Picture::size).sum() > Membership.MAX_MESSAGE_BYTES);
    RankFixtures runs = new RankFixtures("zero3", model, TinyQwenVl.VOCABULARY, 128);
    ModelConfig seeing = ModelConfig.of(model, Dtype.FP32);
    SessionConfig config = TwoNodes.config(runs.worker("actor_train", seeing, 2, Map.of()), 2);
    Path one = folder.resolve("one");
    Path two = folder.resolve("two");
    try (TwoNodes nodes = new TwoNodes(folder)) {
      assertArrayEquals(
          train(nodes.together, config, frozen, shown, one),
          train(nodes.spread, config, frozen, shown, two));
    }
    for (String file : List.of("model.safetensors", "trainer/moments.safetensors")) {
      assertEquals(-1, Files.mismatch(one.resolve(file), two.resolve(file)), file);
    }
  }
}
