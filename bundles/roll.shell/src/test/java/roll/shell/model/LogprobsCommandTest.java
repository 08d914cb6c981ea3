package roll.shell.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.option.UserException;
import roll.shell.Brackets;
import roll.shell.Characters;
import roll.shell.Gogo;
import roll.shell.Repeating;

/** {@code logprobs} with a tokenizer of one token per character. */
class LogprobsCommandTest {
  @TempDir Path folder;
  private final Repeating model = new Repeating();
  private final LogprobsCommand command =
      new LogprobsCommand(new LocalModels(place -> new Characters(), Brackets::find, model), null);

  @Test
  void aTableHasALineAToken() {
    assertEquals(
        """
        id   token  logprob  entropy
        104  "h"
        105  "i"    -0.5000  0.2500
        10   "\\n"   -1.0000  0.5000

        sum -1.5000, mean -0.7500, perplexity 2.1170\
        """,
        run("hi\n"));
  }

  @Test
  void jsonHasOneLogProbLessThanIds() {
    assertEquals(
        "{\"ids\":[104,105,33],\"logprobs\":[-0.5,-1.0],\"entropy\":[0.25,0.5]}",
        run("hi!", "--json"));
    assertEquals("{\"ids\":[104],\"logprobs\":[],\"entropy\":[]}", run("h", "--json"));
  }

  @Test
  void theNumberFormatIsAsked() {
    run("hi", "--json");
    run("hi", "--json", "--dtype", "bf16");
    assertEquals(
        List.of(Dtype.FP32, Dtype.BF16),
        model.opened.stream().map(config -> config.worker().model().dtype()).toList());
    assertTrue(
        mistake("hi", "--dtype", "fp16")
            .startsWith("logprobs: --dtype: expected fp32 or bf16, found 'fp16'; usage: "));
  }

  @Test
  void mistakesAreOneLine() {
    assertEquals("logprobs: the text is empty", mistake(""));
    assertEquals(
        "logprobs: <text> is missing; usage: logprobs <folder> <text> [--json]"
            + " [--dtype <fp32|bf16>] [--device <n>] [--random-weights]",
        mistake());
    assertEquals(
        "logprobs: no folder '" + folder.resolve("x") + "'",
        assertThrows(
                UserException.class,
                () -> {
                  try (Gogo gogo = new Gogo(command, "logprobs")) {
                    gogo.call(command, folder.resolve("x").toString(), "hi");
                  }
                })
            .getMessage());
  }

  private String run(String... more) {
    try (Gogo gogo = new Gogo(command, "logprobs")) {
      String[] all = new String[more.length + 1];
      all[0] = folder.toString();
      System.arraycopy(more, 0, all, 1, more.length);
      return String.valueOf(gogo.call(command, all)).replace(System.lineSeparator(), "\n");
    }
  }

  private String mistake(String... more) {
    return assertThrows(UserException.class, () -> run(more)).getMessage();
  }
}
