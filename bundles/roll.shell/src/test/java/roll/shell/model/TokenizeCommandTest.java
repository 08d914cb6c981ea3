package roll.shell.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.shell.Characters;
import roll.shell.Gogo;

/** {@code tokenize} with a tokenizer of one token per character. */
class TokenizeCommandTest {
  @TempDir Path folder;
  private final TokenizeCommand command = new TokenizeCommand(place -> new Characters());

  private String run(String... arguments) {
    try (Gogo gogo = new Gogo(command, "tokenize")) {
      String[] all = new String[arguments.length + 1];
      all[0] = folder.toString();
      System.arraycopy(arguments, 0, all, 1, arguments.length);
      return gogo.call(command, all);
    }
  }

  @Test
  void jsonHasTheIds() {
    assertEquals("{\"ids\":[104,105]}", run("hi", "--json"));
    assertEquals("{\"ids\":[]}", run("", "--json"));
    assertEquals("{\"ids\":[45,45,120]}", run("--json", "--", "--x"));
  }

  @Test
  void aTableHasThePieces() {
    assertEquals(
        """
        id   token
        104  "h"
        10   "\\n"

        2 tokens\
        """,
        run("h\n"));
  }

  @Test
  void mistakesAreOneLine() {
    String usage = "; usage: tokenize <folder> <text> [--bare] [--json]";
    assertEquals(
        "tokenize: <text> is missing" + usage,
        assertThrows(UserException.class, () -> run()).getMessage());
    Path absent = folder.resolve("absent");
    try (Gogo gogo = new Gogo(command, "tokenize")) {
      assertEquals(
          "tokenize: no folder '" + absent + "'",
          assertThrows(UserException.class, () -> gogo.call(command, absent.toString(), "x"))
              .getMessage());
    }
  }
}
