package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.huggingface.Safetensors;

/** A random Qwen3-MoE of ten experts, trained whole and by adapters. */
class ExpertsTrainedTest {
  private static final String CONFIG =
      """
      {"model_type": "qwen3_moe", "architectures": ["Qwen3MoeForCausalLM"], "vocab_size": 160,
       "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "head_dim": 8,
       "num_key_value_heads": 2, "moe_intermediate_size": 24, "num_experts": 10,
       "num_experts_per_tok": 3, "norm_topk_prob": true, "max_position_embeddings": 64,
       "initializer_range": 0.2, "tie_word_embeddings": false}
      """;

  private final Path folder;
  @AutoClose private final TinyModel model;

  ExpertsTrainedTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.model = new TinyModel(folder.resolve("source"), CONFIG);
  }

  private static double sum(double[] logProbs) {
    return Arrays.stream(logProbs).sum();
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void learnsAndIsSavedAsThePublishedFilesAre(Dtype dtype) throws IOException {
    Path saved = folder.resolve("saved");
    TokenBatch batch = TinyModel.batch(5);
    double[] scores;
    try (TrainSession session = model.open(dtype, 4)) {
      double before = sum(session.score(batch).join().logProbs());
      assertFalse(TinyModel.step(session, batch).skipped());
      double once = sum(session.score(batch).join().logProbs());
      assertTrue(once > before + 1, before + " became " + once);
      assertFalse(TinyModel.step(session, batch).skipped());
      session.save(saved).join();
      scores = session.score(batch).join().logProbs();
      assertTrue(sum(scores) > once + 1, once + " became " + sum(scores));
    }
    try (Safetensors files = Safetensors.open(saved)) {
      assertEquals(2 * (6 + 1 + 3 * 10 + 2) + 3, files.tensors().size());
      assertTrue(files.tensors().containsKey("model.layers.1.mlp.gate.weight"));
      assertTrue(files.tensors().containsKey("model.layers.1.mlp.experts.9.down_proj.weight"));
    }
    try (TinyModel other = new TinyModel(folder.resolve("other"), CONFIG)) {
      Files.copy(saved.resolve("model.safetensors"), other.folder.resolve("model.safetensors"));
      try (TrainSession session = other.open(dtype, 4)) {
        assertArrayEquals(scores, session.score(batch).join().logProbs());
      }
    }
  }

  @Test
  void doesNotDependOnTheMicroBatchOrOnCheckpointing() {
    TokenBatch batch = TinyModel.batch(2);
    List<double[]> scores = new ArrayList<>();
    for (int microBatch : new int[] {1, 3, 100}) {
      try (TrainSession session = model.open(Dtype.FP32, microBatch)) {
        TinyModel.step(session, batch);
        scores.add(session.score(batch).join().logProbs());
      }
    }
    assertArrayEquals(scores.get(0), scores.get(1), 2e-4);
    assertArrayEquals(scores.get(0), scores.get(2), 2e-4);
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void continuesBitForBit(Dtype dtype) {
    ModelConfig base = ModelConfig.of(model.folder, dtype);
    for (String target : List.of("", "all-linear", "q_proj")) {
      ModelConfig adapted = target.isEmpty() ? base : base.withLora(lora(target));
      SessionConfig config = model.config(adapted, 2, Map.of("parallel_micro_batches", 2), 32);
      List<double[]> whole = model.scores(config, null);
      List<double[]> cut = model.scores(config, folder.resolve("cut-" + dtype + target));
      for (int i = 0; i < whole.size(); i++) {
        assertArrayEquals(whole.get(i), cut.get(i), "step " + i);
      }
      assertFalse(Arrays.equals(whole.getLast(), whole.getFirst()), "nothing was trained");
    }
  }

  private static LoraConfig lora(String target) {
    return new LoraConfig(4, 8, 0.1, List.of(target));
  }

  /** An adapter of an expert that no token of a micro-batch goes to has no gradient there. */
  @Test
  void oneExpertAloneMayHaveAnAdapter() throws IOException {
    String module = "model.layers.1.mlp.experts.7.up_proj";
    ModelConfig adapted =
        ModelConfig.of(model.folder, Dtype.FP32).withLora(new LoraConfig(4, 8, 0, List.of(module)));
    TokenBatch batch = TinyModel.batch(3);
    Path saved = folder.resolve("saved");
    try (TrainSession session = model.strategy().open(model.config(adapted, 1, Map.of(), 32))) {
      double before = sum(session.score(batch).join().logProbs());
      for (int i = 0; i < 5; i++) {
        assertFalse(TinyModel.step(session, batch).skipped());
      }
      assertTrue(sum(session.score(batch).join().logProbs()) > before);
      session.save(saved).join();
    }
    try (Safetensors files = Safetensors.open(saved.resolve("adapter_model.safetensors"))) {
      assertEquals(
          List.of(
              "base_model.model." + module + ".lora_A.weight",
              "base_model.model." + module + ".lora_B.weight"),
          List.copyOf(files.tensors().keySet()));
    }
  }
}
