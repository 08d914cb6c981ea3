package roll.shell.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;

class SyntaxTest {
  private static final Syntax SYNTAX =
      new Syntax(
          "paint",
          "Paints a wall.",
          List.of(Word.one("wall", "which"), Word.optional("coat", "how often")),
          List.of(
              Option.one("--colour", "name", "white", "of the paint"),
              Option.any("--spare", "place", "not painted"),
              Option.flag("--dry", "wait")));

  @Test
  void optionsStandAnywhere() {
    Arguments given = SYNTAX.read("--colour", "red", "north", "--dry", "2");
    assertEquals("north", given.word(0));
    assertEquals("2", given.optional(1));
    assertNull(given.optional(2));
    assertEquals("red", given.text("--colour"));
    assertTrue(given.flag("--dry"));
    assertEquals("blue", SYNTAX.read("north", "--colour=blue").text("--colour"));
    assertEquals("white", SYNTAX.read("north").text("--colour"));
    assertFalse(SYNTAX.read("north").flag("--dry"));
    assertEquals(
        List.of("door", "frame"),
        SYNTAX.read("north", "--spare", "door", "--spare=frame").texts("--spare"));
    assertEquals(List.of(), SYNTAX.read("north").texts("--spare"));
    assertNull(SYNTAX.read("north").optional("--spare"));
    assertEquals("--dry", SYNTAX.read("--", "--dry").word(0));
    assertEquals("-1", SYNTAX.read("-1").word(0));
  }

  @Test
  void wrongCallsAreOneLineWithTheUsage() {
    String usage = "; usage: paint <wall> [coat] [--colour <name>] [--spare <place> …] [--dry]";
    assertEquals("paint: <wall> is missing" + usage, mistake());
    assertEquals("paint: 'c' is one argument too many" + usage, mistake("a", "b", "c"));
    assertEquals("paint: --colour needs a value" + usage, mistake("a", "--colour"));
    assertEquals(
        "paint: unknown option --color; did you mean '--colour'?" + usage,
        mistake("a", "--color", "red"));
  }

  @Test
  void valuesStandWhereOptionsTakeThem() {
    String usage = "; usage: paint <wall> [coat] [--colour <name>] [--spare <place> …] [--dry]";
    for (String value : List.of("", "1", "true", "false")) {
      assertEquals(
          "paint: --dry takes no value, found '" + value + "'" + usage,
          mistake("a", "--dry=" + value));
    }
    assertEquals("paint: --help takes no value" + usage, mistake("--help=1"));
    for (String option : List.of("--colour", "--spare")) {
      String empty = "paint: " + option + " needs a value, found ''" + usage;
      assertEquals(empty, mistake("a", option + "="));
      assertEquals(empty, mistake("a", option, ""));
      assertEquals(
          "paint: %1$s needs a value, found '--dry' (if that is the value: %1$s=--dry)"
                  .formatted(option)
              + usage,
          mistake("a", option, "--dry"));
      assertEquals(List.of("--dry"), SYNTAX.read("a", option + "=--dry").texts(option));
    }
    assertEquals("paint: --dry is given twice" + usage, mistake("a", "--dry", "--dry"));
    assertEquals(
        "paint: --colour is given twice" + usage, mistake("a", "--colour", "red", "--colour=red"));
  }

  @Test
  void aTextMayBeEmpty() {
    Syntax texts = new Syntax("say", "", List.of(), List.of(Option.text("--before", "the rest")));
    assertEquals("", texts.read("--before", "").optional("--before"));
    assertEquals("", texts.read("--before=").optional("--before"));
    assertNull(texts.read().optional("--before"));
  }

  @Test
  void helpSaysAll() {
    assertTrue(SYNTAX.read("a", "b", "c", "--help").help());
    assertEquals(
        """
        Paints a wall.

        usage: paint <wall> [coat] [--colour <name>] [--spare <place> …] [--dry]

          wall               which
          coat               how often
          --colour <name>    of the paint (default white)
          --spare <place> …  not painted
          --dry              wait
          --help             print this help\
        """,
        SYNTAX.help());
  }

  @Test
  void numbersAreChecked() {
    Syntax numbers =
        new Syntax("n", "", List.of(), List.of(Option.one("--n", "n", "64", "a number")));
    assertEquals(64, numbers.read().integer("--n", 1, 100));
    assertEquals(0.5, numbers.read("--n", "0.5").number("--n"));
    assertEquals(
        "n: --n: expected an integer from 1 to 100, found '0.5'; usage: n [--n <n>]",
        assertThrows(UserException.class, () -> numbers.read("--n", "0.5").integer("--n", 1, 100))
            .getMessage());
    assertEquals(
        "n: --n: expected a number, found 'few'; usage: n [--n <n>]",
        assertThrows(UserException.class, () -> numbers.read("--n", "few").number("--n"))
            .getMessage());
  }

  private static String mistake(String... arguments) {
    return assertThrows(UserException.class, () -> SYNTAX.read(arguments)).getMessage();
  }
}
