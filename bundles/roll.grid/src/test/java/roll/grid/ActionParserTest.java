package roll.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.grid.ActionParser.Action;
import roll.testkit.TestOptions;

class ActionParserTest {
  private static final Map<Integer, String> LAKE =
      Map.of(0, "Left", 1, "Down", 2, "Right", 3, "Up");

  private static final String ANSWER = "<answer>(.*?)</answer>";
  private static final String THINK = "<think>(.*?)</think>\\s*<answer>(.*?)</answer>";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<answer>Right</answer>",
        "I go <answer> right </answer>, not <answer>Left</answer>",
        "<answer>\nRIGHT\n</answer><|im_end|>",
        "<an<|im_end|>swer>Right</answer>"
      })
  void findsTheFirstAnswerInAnyCase(String response) {
    assertEquals(new Action(2, "Right"), parser(ANSWER, LAKE).parse(response));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Right",
        "<answer>Right",
        "<answer>Jump</answer>",
        "<answer></answer>",
        "<answer>Jump</answer><answer>Right</answer>"
      })
  void findsNothingElse(String response) {
    assertNull(parser(ANSWER, LAKE).parse(response));
  }

  @Test
  void takesTheSecondOfTwoGroups() {
    ActionParser parser = parser(THINK, LAKE);
    assertEquals(
        new Action(3, "Up"), parser.parse("<think>Left?\nno</think>\n<answer>up</answer>"));
    assertNull(parser.parse("<answer>up</answer>"));
  }

  @Test
  void acceptsAnyTextWithoutLookup() {
    assertEquals(
        new Action(-1, "search[red shoes]"),
        parser(ANSWER, Map.of()).parse("<answer> search[red shoes] </answer>"));
  }

  @ParameterizedTest
  @CsvSource({
    "<answer>(.*?)</answer>, <answer>Up</answer>",
    "^(.*)$, Up",
    "<think>(.*?)</think>\\s*<answer>(.*?)</answer>, <think></think><answer>Up</answer>",
    "\\\\boxed\\{(.*?)\\}, \\boxed{Up}",
    "Action:\\s+(\\w+), Action: Up"
  })
  void writesWhatItReads(String pattern, String expected) {
    ActionParser parser = parser(pattern, LAKE);
    String response = parser.respond("Up");
    assertEquals(expected, response);
    assertEquals(new Action(3, "Up"), parser.parse(response));
  }

  @Test
  void writesTheBareActionWhereThePatternCannotBeWrittenOut() {
    assertEquals("Up", parser("(?:go|walk) (.*)", LAKE).respond("Up"));
    assertEquals("Up", parser("((?:Up|Down|Left|Right)\\b)", LAKE).respond("Up"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"<answer>(", "no group", "(a)(b)(c)"})
  void refusesOtherPatterns(String pattern) {
    var refused = assertThrows(UserException.class, () -> parser(pattern, LAKE));
    assertTrue(
        refused.getMessage().startsWith("env_config.action_pattern: expected a regular expression"),
        refused.getMessage());
  }

  private static ActionParser parser(String pattern, Map<Integer, String> lookup) {
    var declared =
        List.<Option<?>>of(ActionParser.PATTERN.withDefault(pattern), ActionParser.SPECIAL_TOKENS);
    return new ActionParser(TestOptions.of("env_config", Map.of(), declared), lookup);
  }
}
