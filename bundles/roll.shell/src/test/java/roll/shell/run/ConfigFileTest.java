package roll.shell.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.option.UserException;
import roll.shell.Gogo;
import roll.shell.command.Arguments;

/** Keys that were written otherwise than as key=value. */
class ConfigFileTest {
  private static List<String> keys(String arguments) {
    try (Gogo gogo = new Gogo(new Object(), "nothing")) {
      Arguments given = CheckCommand.SYNTAX.read(arguments.split(" ", -1));
      return ConfigFile.overrides(gogo.session(), given);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x.yaml --max_steps 2       | unknown option --max_steps; keys are set without dashes:"
            + " max_steps=2",
        "x.yaml --max_steps=2       | unknown option --max_steps; keys are set without dashes:"
            + " max_steps=2",
        "--actor_train.lr=1 x.yaml  | unknown option --actor_train.lr; keys are set without dashes:"
            + " actor_train.lr=1",
        "x.yaml seed=1 --max_steps  | unknown option --max_steps; keys are set without dashes:"
            + " max_steps=…",
        "x.yaml --ful               | unknown option --ful; did you mean '--full'?",
        "x.yaml max_steps 2         | 'max_steps' sets no key: write max_steps=2",
        "x.yaml a=1 max_steps = 2   | 'max_steps' sets no key: write max_steps=2",
        "x.yaml max_steps =2        | 'max_steps' sets no key: write max_steps=2",
        "a.b=1 max_steps 2          | 'max_steps' sets no key: write max_steps=2",
      })
  void theLineThatWouldBeRightIsNamed(String arguments, String complaint) {
    assertEquals(
        "check: " + complaint + "; usage: check <config.yaml> [key=value …] [--full]",
        assertThrows(UserException.class, () -> keys(arguments)).getMessage());
  }

  /** Overrides, and words that may be something else, are left to the loader. */
  @Test
  void keysAreTaken() {
    assertEquals(List.of("a=1", "~b", "+c.d=x"), keys("x.yaml a=1 ~b +c.d=x"));
    assertEquals(List.of("max_steps", "a=1"), keys("x.yaml max_steps a=1"));
    assertEquals(List.of("max_steps"), keys("x.yaml max_steps"));
  }
}
