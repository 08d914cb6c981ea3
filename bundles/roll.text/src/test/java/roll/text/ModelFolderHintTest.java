package roll.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Suggestions for a path without a model. */
class ModelFolderHintTest {
  @TempDir Path folder;

  @Test
  void ofARunTheNewestCheckpointIsMeant() throws IOException {
    assertEquals("", ModelFolderHint.of(folder));
    Files.writeString(folder.resolve("checkpoint-99999"), "a file");
    Files.createDirectories(folder.resolve("checkpoint-last"));
    assertEquals("", ModelFolderHint.of(folder));
    Files.createDirectories(folder.resolve("checkpoint-20"));
    Files.createDirectories(folder.resolve("checkpoint-100"));
    assertEquals(
        "; it is the folder of a run: write " + folder.resolve("checkpoint-100"),
        ModelFolderHint.of(folder));
  }

  @Test
  void ofAFolderOfModelsTheFirstAreNamed() throws IOException {
    for (String name : new String[] {"b", "a", "d", "c"}) {
      Files.writeString(Files.createDirectories(folder.resolve(name)).resolve("config.json"), "{}");
    }
    assertEquals(
        "; models in this folder: %1$s/a, %1$s/b, %1$s/c, …".formatted(folder),
        ModelFolderHint.of(folder));
  }

  @Test
  void aMissingFolderIsLikelyOneBesideIt() throws IOException {
    Files.createDirectory(folder.resolve("arithmetic-tiny"));
    assertEquals(
        "; did you mean 'arithmetic-tiny'?", ModelFolderHint.of(folder.resolve("arithmetic-tin")));
  }

  @Test
  void ofAFileItsFolderIsMeant() throws IOException {
    Path file = Files.writeString(folder.resolve("config.json"), "{}");
    assertEquals("; it is a file: write its folder, " + folder, ModelFolderHint.of(file));
  }

  @Test
  void aNameOfAHubIsFetched() {
    assertEquals(
        "; a model of that name is fetched by `hf download Qwen/Qwen2.5-0.5B-Instruct --local-dir"
            + " models/Qwen2.5-0.5B-Instruct`: write models/Qwen2.5-0.5B-Instruct",
        ModelFolderHint.of(Path.of("Qwen/Qwen2.5-0.5B-Instruct")));
  }

  /** The folder that the hint proposes is no owner on a hub. */
  @Test
  void theOwnerOfALocalFolderIsUnknown() {
    assertEquals(
        "; fetch it by `hf download <owner>/Qwen2.5-0.5B-Instruct --local-dir"
            + " models/Qwen2.5-0.5B-Instruct`",
        ModelFolderHint.of(Path.of("models/Qwen2.5-0.5B-Instruct")));
  }

  /** Anything else is no such name, or begins with a folder that is there. */
  @ParameterizedTest
  @ValueSource(strings = {"model", "./a/b", "/a/b", "/dev/null", "a/b/c", "src/nothing", "a b/c"})
  void ofAnythingElseNothingIsSaid(String path) {
    assertEquals("", ModelFolderHint.of(Path.of(path)));
  }
}
