package roll.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.option.UserException;
import roll.runtime.config.KeyReference;
import roll.runtime.config.KeyReference.Entry;

class KeysCommandTest {
  private static final KeyReference REFERENCE =
      framework ->
          List.of(
              new Entry("data.seed", "an integer", "1", "used", "seed", ""),
              new Entry("data.files", "text", "required", "translated", "", "a Dataset of files"),
              new Entry("trainer.nnodes", "an integer", "", "ignored", "", "no Ray"));

  @Test
  void listsAllKeys() throws Exception {
    assertEquals(
        """
        data.seed (an integer, default 1)
          used as seed
        data.files (text, required)
          translated: a Dataset of files
        trainer.nnodes (an integer)
          ignored: no Ray\
        """,
        run("keys verl"));
  }

  @ParameterizedTest
  @CsvSource({"keys verl nnodes", "keys verl no ray", "keys agentfly NO RAY"})
  void findsTheTextInNameAndReason(String line) throws Exception {
    assertEquals("trainer.nnodes (an integer)\n  ignored: no Ray", run(line));
  }

  @Test
  void jsonHasTheSame() throws Exception {
    assertEquals(
        "[{\"key\":\"data.seed\",\"values\":\"an"
            + " integer\",\"defaultValue\":\"1\",\"status\":\"used\","
            + "\"here\":\"seed\",\"reason\":\"\"}]",
        run("keys roll seed --json"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "keys verk ! keys: expected one of roll, verl, agentfly, trl, found 'verk'; did you mean"
            + " 'verl'?; usage: keys <roll|verl|agentfly|trl> [key or text …] [--json]",
        "keys verl data.sed ! keys: nothing in the keys of verl contains 'data.sed'; did you mean"
            + " 'data.seed'?"
      })
  void mistakesAreNamed(String line, String message) {
    assertEquals(message, assertThrows(UserException.class, () -> run(line)).getMessage());
  }

  private static Object run(String line) throws Exception {
    try (Gogo gogo = new Gogo(new KeysCommand(REFERENCE), "keys")) {
      return gogo.run(line);
    }
  }
}
