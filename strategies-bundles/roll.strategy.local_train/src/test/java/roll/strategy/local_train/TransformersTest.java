package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.TrainSession;
import roll.decoder.DecoderParameters;

/** Models written, scored and trained for a step by transformers. */
final class TransformersTest {
  private static TrainSession open(GoldenModel given, ModelConfig config) {
    return given.model.strategy().open(given.model.config(config, 2, Map.of(), 32));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gemma", "qwen3_vl", "qwen3_vl_moe", "seed_oss"})
  void logProbsAndAStepAreThoseOfTransformers(String type, @TempDir Path folder) throws Exception {
    Path saved = folder.resolve("saved");
    try (GoldenModel given = new GoldenModel(type, folder.resolve("model"))) {
      GoldenModel.Golden golden = given.golden;
      assertEquals(golden.parameters(), DecoderParameters.size(given.model.spec()));
      try (TrainSession session = open(given, ModelConfig.of(given.model.folder, Dtype.FP32))) {
        assertArrayEquals(golden.logProbs(), given.logProbs(session), 1e-5);
        assertEquals(golden.gradNorm(), given.step(session), 1e-5 * golden.gradNorm());
        assertArrayEquals(golden.after(), given.logProbs(session), 1e-4);
        session.save(saved).join();
      }
      assertEquals(GoldenModel.names(given.source), GoldenModel.names(saved));
      try (TrainSession session = open(given, ModelConfig.of(saved, Dtype.FP32))) {
        assertArrayEquals(golden.after(), given.logProbs(session), 1e-4);
      }
    }
  }

  /** Adapters of the decoder alone, under the names of transformers' modules. */
  @Test
  void adaptersOfQwen3VlHaveItsNames(@TempDir Path folder) throws Exception {
    Path saved = folder.resolve("saved");
    LoraConfig lora = new LoraConfig(2, 4, 0, List.of("q_proj", "down_proj"));
    try (GoldenModel given = new GoldenModel("qwen3_vl", folder.resolve("model"))) {
      ModelConfig config = ModelConfig.of(given.model.folder, Dtype.FP32).withLora(lora);
      double[] after;
      try (TrainSession session = open(given, config)) {
        assertArrayEquals(given.golden.logProbs(), given.logProbs(session), 1e-5);
        for (int i = 0; i < 4; i++) {
          assertTrue(given.step(session) > 0);
        }
        after = given.logProbs(session);
        assertTrue(Arrays.stream(after).sum() > Arrays.stream(given.golden.logProbs()).sum() + 0.1);
        session.save(saved).join();
      }
      Set<String> expected = new TreeSet<>();
      for (int layer = 0; layer < 3; layer++) {
        for (String module : List.of("self_attn.q_proj", "mlp.down_proj")) {
          for (String part : List.of("A", "B")) {
            expected.add(
                "base_model.model.model.language_model.layers.%d.%s.lora_%s.weight"
                    .formatted(layer, module, part));
          }
        }
      }
      assertEquals(
          expected, new TreeSet<>(GoldenModel.names(saved.resolve("adapter_model.safetensors"))));
      try (TrainSession session = open(given, config)) {
        session.restore(saved).join();
        assertArrayEquals(after, given.logProbs(session));
      }
    }
  }
}
