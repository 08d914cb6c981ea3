package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.option.UserException;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;

/** Saved folders have Hugging Face's layout; mismatched folders are refused. */
class SavedModelTest {
  private final Path folder;
  @AutoClose private final TinyModel model;

  SavedModelTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.model = new TinyModel(folder.resolve("source"));
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void savesAHuggingFaceFolder(Dtype dtype) throws IOException {
    Path saved = folder.resolve("saved");
    TokenBatch batch = TinyModel.batch(5);
    double[] scores;
    try (TrainSession session = model.open(dtype, 4)) {
      TinyModel.step(session, batch);
      session.save(saved).join();
      scores = session.score(batch).join().logProbs();
    }
    String type = dtype == Dtype.BF16 ? "bfloat16" : "float32";
    assertEquals(
        """
        {
          "model_type": "tiny",
          "rms_norm_eps": 1e-05,
          "unknown <field>": [
            1,
            null,
            2.50
          ],
          "torch_dtype": "%s"
        }
        """
            .formatted(type),
        Files.readString(saved.resolve("config.json")));
    for (String file : List.of("tokenizer.json", "tokenizer_config.json")) {
      assertEquals(-1, Files.mismatch(model.folder.resolve(file), saved.resolve(file)));
    }
    try (TinyModel other = new TinyModel(folder.resolve("other"))) {
      Files.copy(saved.resolve("model.safetensors"), other.folder.resolve("model.safetensors"));
      try (TrainSession session = other.open(dtype, 4)) {
        assertArrayEquals(scores, session.score(batch).join().logProbs());
      }
    }
  }

  @Test
  void refusesAFolderThatDoesNotFit() throws IOException {
    Path saved = folder.resolve("saved");
    try (TrainSession session = model.open(Dtype.FP32, 4)) {
      session.save(saved).join();
      Path state = saved.resolve("trainer/state.json");
      Files.writeString(state, "{\"steps\": -1}");
      refused(session, saved, "steps: expected an integer");
      Files.writeString(state, "{\"steps\": ");
      refused(session, saved, "is not the state of a checkpoint");
      Files.delete(state);
      refused(session, saved, "missing, so this is no checkpoint of a trained model");
      Files.writeString(state, "{\"steps\": 1}");
      Path config = saved.resolve("config.json");
      Files.writeString(
          config, Files.readString(config).replace("{\n", "{\"tie_word_embeddings\": false,\n"));
      refused(session, saved, "config.json describes another model");
      assertEquals(0, session.weights().version());
    }
  }

  private static void refused(TrainSession session, Path saved, String part) {
    Throwable cause =
        assertThrows(CompletionException.class, () -> session.restore(saved).join()).getCause();
    assertTrue(cause instanceof UserException, () -> String.valueOf(cause));
    assertTrue(String.valueOf(cause.getMessage()).contains(part), () -> String.valueOf(cause));
  }
}
