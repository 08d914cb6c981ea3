package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.OptimizerName;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionActivity;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.Snapshot;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.decoder.DecoderParameters;
import roll.huggingface.Safetensors;

/** Sessions with each optimizer: over a checkpoint, in memory, refused. */
class OptimizersTest {
  /** Large enough for moments of 8 bits of some matrices, one of which ends within a block. */
  private static final String CONFIG =
      """
      {
        "model_type": "qwen2",
        "vocab_size": %d,
        "hidden_size": 64,
        "intermediate_size": 81,
        "num_hidden_layers": 1,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 64,
        "initializer_range": 0.05,
        "tie_word_embeddings": false
      }
      """
          .formatted(TinyModel.VOCABULARY);

  private final Path folder;
  @AutoClose private final TinyModel model;

  OptimizersTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.model = new TinyModel(folder.resolve("source"), CONFIG);
  }

  private SessionConfig config(OptimizerName optimizer, ModelConfig weights) {
    SessionConfig config = model.config(weights, 2, Map.of(), 32);
    return new SessionConfig(
        config.worker().withTraining(config.worker().training().with(optimizer)), 5, 1.0, 32);
  }

  private SessionConfig config(OptimizerName optimizer) {
    return config(optimizer, ModelConfig.of(model.folder, Dtype.FP32));
  }

  @ParameterizedTest
  @EnumSource(OptimizerName.class)
  void aRestoredSessionContinuesBitForBit(OptimizerName optimizer) {
    for (Dtype dtype : Dtype.values()) {
      SessionConfig config = config(optimizer, ModelConfig.of(model.folder, dtype));
      List<double[]> whole = model.scores(config, null);
      List<double[]> halves = model.scores(config, folder.resolve(dtype.name()));
      for (int i = 0; i < whole.size(); i++) {
        assertArrayEquals(whole.get(i), halves.get(i));
      }
      assertFalse(Arrays.equals(whole.getFirst(), whole.getLast()), "the steps change nothing");
    }
  }

  @ParameterizedTest
  @EnumSource(OptimizerName.class)
  void aPlanCountsWhatASessionKeeps(OptimizerName optimizer) {
    SessionConfig config = config(optimizer);
    long planned =
        model
            .strategy()
            .expected(config, model.spec(), SessionActivity.REST)
            .getFirst()
            .bytes()
            .getOrDefault(MemoryKind.OPTIMIZER, 0L);
    try (TrainSession session = model.strategy().open(config)) {
      long kept =
          Objects.requireNonNull(session.peakMemory().getFirst().bytes().get(MemoryKind.OPTIMIZER));
      assertEquals(kept, planned);
      try (Snapshot snapshot = session.snapshot().join()) {
        assertEquals(4 * DecoderParameters.size(model.spec()) + kept, snapshot.bytes());
      }
    }
  }

  @Test
  void muonKeepsNoSecondMomentOfMatrices() throws IOException {
    Path saved = folder.resolve("saved");
    try (TrainSession session = model.strategy().open(config(OptimizerName.MUON))) {
      session.save(saved).join();
    }
    try (Safetensors moments = Safetensors.open(saved.resolve("trainer/moments.safetensors"))) {
      for (var parameter : DecoderParameters.of(model.spec())) {
        assertTrue(moments.tensors().containsKey("first." + parameter.name()));
        assertEquals(
            !DecoderParameters.hidden(parameter),
            moments.tensors().containsKey("second." + parameter.name()));
      }
    }
  }

  @Test
  void momentsOfLargeMatricesAreBytes() throws IOException {
    Path saved = folder.resolve("saved");
    try (TrainSession session = model.strategy().open(config(OptimizerName.ADAMW_8BIT))) {
      session.save(saved).join();
    }
    Set<String> bytes = new TreeSet<>();
    try (Safetensors moments =
        Safetensors.open(saved.resolve("trainer/moments_8bit.safetensors"))) {
      moments.tensors().keySet().forEach(name -> bytes.add(name.replace("model.layers.0.", "")));
    }
    Set<String> expected = new TreeSet<>();
    for (String matrix :
        List.of(
            "self_attn.q_proj",
            "self_attn.o_proj",
            "mlp.gate_proj",
            "mlp.up_proj",
            "mlp.down_proj",
            "lm_head")) {
      expected.add("first." + matrix + ".weight");
      expected.add("second." + matrix + ".weight");
    }
    assertEquals(expected, bytes);
  }

  /** The batch is learned by heart; the curves differ by 0.0004 at most. */
  @Test
  void eightBitsLearnLikeThirtyTwo() {
    double[] wide = curve(OptimizerName.ADAMW);
    double[] narrow = curve(OptimizerName.ADAMW_8BIT);
    assertTrue(wide[0] < -2 && wide[29] > -0.1, () -> Arrays.toString(wide));
    assertArrayEquals(wide, narrow, 0.002);
    assertFalse(Arrays.equals(wide, narrow));
  }

  /** Mean log-prob of a batch after each of 30 steps on it. */
  private double[] curve(OptimizerName optimizer) {
    TokenBatch batch = TinyModel.batch(0);
    try (TrainSession session = model.strategy().open(config(optimizer))) {
      return IntStream.range(0, 30)
          .mapToDouble(
              step -> {
                var unused = TinyModel.step(session, batch);
                return Arrays.stream(session.score(batch).join().logProbs())
                    .average()
                    .orElseThrow();
              })
          .toArray();
    }
  }

  @ParameterizedTest
  @EnumSource(OptimizerName.class)
  void aCheckpointOfAnotherOptimizerIsRefused(OptimizerName optimizer) throws IOException {
    Path saved = folder.resolve("saved");
    try (TrainSession session = model.strategy().open(config(optimizer))) {
      session.save(saved).join();
    }
    for (OptimizerName other : OptimizerName.values()) {
      if (other != optimizer) {
        try (TrainSession session = model.strategy().open(config(other))) {
          String refused =
              assertThrows(CompletionException.class, () -> session.restore(saved).join())
                  .getMessage();
          assertTrue(
              refused.contains(
                  "is the state of optimizer %s, the run has %s"
                      .formatted(optimizer.text(), other.text())),
              refused);
        }
      }
    }
  }

  @Test
  void muonWithoutAMatrixIsRefused() {
    ModelConfig base = ModelConfig.of(model.folder, Dtype.FP32);
    LoraConfig lora = new LoraConfig(4, 8, 0, List.of("all-linear"));
    for (ModelConfig weights :
        List.of(base.withLora(lora), base.withFrozen(List.of("model.layers")))) {
      SessionConfig config = config(OptimizerName.MUON, weights);
      String expected =
          "actor_train.training_args.optimizer: muon updates matrices of layers, and none is"
              + " trained; adamw trains adapters, embeddings and heads";
      assertEquals(expected, userError(() -> model.strategy().open(config)));
    }
  }
}
