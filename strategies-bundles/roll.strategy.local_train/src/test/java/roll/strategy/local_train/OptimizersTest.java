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
import java.util.concurrent.CompletionException;
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
import roll.api.strategy.TrainSession;
import roll.decoder.DecoderParameters;
import roll.huggingface.Safetensors;

/** Sessions with each optimizer: over a checkpoint, in memory, refused. */
class OptimizersTest {
  private final Path folder;
  @AutoClose private final TinyModel model;

  OptimizersTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.model = new TinyModel(folder.resolve("source"));
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
