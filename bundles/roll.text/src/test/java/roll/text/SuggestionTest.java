package roll.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
  private static final List<String> KEYS =
      List.of("grpo", "gae", "reinforce", "rollout_batch_size", "val_batch_size", "max_steps");

  @ParameterizedTest
  @CsvSource({
    "grop, grpo",
    "GRPO, grpo",
    "gea, gae",
    "reinforc, reinforce",
    "rolout_batchsize, rollout_batch_size",
    "maxsteps, max_steps",
    "rein, reinforce",
    "Rollout, rollout_batch_size",
    "steps, max_steps"
  })
  void namesTheNearest(String wrong, String right) {
    assertEquals("; did you mean '" + right + "'?", Suggestion.near(wrong, KEYS));
  }

  @ParameterizedTest
  @CsvSource({"sokoban", "x", "''", "learning_rate", "st", "atch"})
  void namesNothingThatIsFar(String wrong) {
    assertEquals("", Suggestion.near(wrong, KEYS));
  }

  @Test
  void aMissingFileIsLikelyOneBesideIt(@TempDir Path folder) throws IOException {
    Files.createFile(folder.resolve("frozen_lake.yaml"));
    Files.createFile(folder.resolve("sokoban.yaml"));
    assertEquals(
        "; did you mean 'frozen_lake.yaml'?", Suggestion.beside(folder.resolve("frozen_lak.yaml")));
    assertEquals("", Suggestion.beside(folder.resolve("chess.yaml")));
    assertEquals("", Suggestion.beside(folder.resolve("no/frozen_lak.yaml")));
  }

  @Test
  void prefersTheFirstOfEquallyNear() {
    assertEquals("; did you mean 'top_p'?", Suggestion.near("top_x", List.of("top_p", "top_k")));
    assertEquals("", Suggestion.near("anything", List.of()));
  }
}
