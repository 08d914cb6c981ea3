package roll.core.trajectory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.testkit.CharacterTokenizer;

class UnknownTokenNoticeTest {
  /** A tokenizer of characters, to which question marks are its unknown token {@code name}. */
  private static CharacterTokenizer knowing(String name) {
    return new CharacterTokenizer() {
      @Override
      public int id(String text) {
        return text.equals(name) ? '?' : super.id(text);
      }

      @Override
      public Path folder() {
        return Path.of("model");
      }
    };
  }

  /** An episode in which the policy reads {@code prompt} and writes {@code response}. */
  private static Trajectory played(String tag, String prompt, String response) {
    int[] tokens = (prompt + response).codePoints().toArray();
    int[] turns = new int[tokens.length];
    for (int i = 0; i < prompt.length(); i++) {
      turns[i] = -1;
    }
    return new Trajectory(
        new TrajectoryKey(tag, 0, 0, 0, 0),
        List.of(new Sequence(tokens, turns, new double[tokens.length], new long[tokens.length])),
        new double[] {0},
        new long[1],
        List.of(),
        Map.of(),
        "terminated");
  }

  /** Guess: 2 of 4 and 1 of 4 tokens; Lake: 1 of 5, and a response that does not count. */
  @Test
  void aTagWhoseTextIsUnknownIsTold() {
    List<Trajectory> played =
        List.of(
            played("Guess", "??ab", "c"),
            played("Lake", "abcd?", "???"),
            played("Guess", "abc?", ""));
    for (String name : List.of("<unk>", "[UNK]")) {
      assertEquals(
          List.of(
              "custom_envs.Guess: 38 % of the tokens of prompts and observations are "
                  + name
                  + ": the tokenizer in model does not know their text"),
          UnknownTokenNotice.lines(played, knowing(name)));
    }
    assertEquals(List.of(), UnknownTokenNotice.lines(played, new CharacterTokenizer()));
  }
}
