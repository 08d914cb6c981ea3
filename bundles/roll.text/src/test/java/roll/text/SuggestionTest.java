package roll.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
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
  void prefersTheFirstOfEquallyNear() {
    assertEquals("; did you mean 'top_p'?", Suggestion.near("top_x", List.of("top_p", "top_k")));
    assertEquals("", Suggestion.near("anything", List.of()));
  }
}
