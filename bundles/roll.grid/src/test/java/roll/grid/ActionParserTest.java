package roll.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.data.RandomStreams;
import roll.api.option.Option;
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
    String refused = userError(() -> parser(pattern, LAKE));
    assertTrue(
        refused.startsWith("env_config.action_pattern: expected a regular expression"), refused);
  }

  /** The result of a plain search in random texts, most of which are broken. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        ANSWER,
        THINK,
        "^<think>(.*?)</think>\\s*<answer>(.*?)</answer>$",
        "<think>(.*)</think>\\s+<answer>(.*)</answer>",
        "<think>(.*?)</think>\\s<answer>(.*)</answer>",
        "^(.*?)</think>(.*?)</answer>",
        "(.*)</answer>$",
        "<answer>(.*)</answer>",
        "<answer>\\s*(.*?)\\s*</answer>",
        "<answer>(.*?)",
        "<answer>([^<]*)</answer>",
        "\\\\a\\{(.*?)\\}",
        "a\\s* (.*?)a",
        "a+(.*?)a",
        "(?:a|<)(.*)a"
      })
  void findsWhatASearchFinds(String pattern) {
    ActionParser parser = parser(pattern, Map.of());
    Pattern searched = Pattern.compile(pattern, Pattern.DOTALL);
    List<String> pieces =
        Pattern.compile(",")
            .splitAsStream(
                "<think>,</think>,</think>\n<answer>,<answer>,</answer>,a,\\a{,}, ,\n,\u0085")
            .toList();
    RandomGenerator random = RandomStreams.of(1, pattern);
    int found = 0;
    for (int text = 0; text < 20_000; text++) {
      StringBuilder response = new StringBuilder();
      for (int i = random.nextInt(13); i > 0; i--) {
        response.append(pieces.get(random.nextInt(pieces.size())));
      }
      Matcher matcher = searched.matcher(response.toString().strip());
      Action expected =
          matcher.find() ? new Action(-1, matcher.group(matcher.groupCount()).strip()) : null;
      assertEquals(expected, parser.parse(response.toString()), response::toString);
      found += expected == null ? 0 : 1;
    }
    assertTrue(found > 20, "matches are too rare to tell");
  }

  /** A search would begin anew at each of them, and go to the end of the response. */
  @ParameterizedTest
  @ValueSource(strings = {ANSWER, THINK, "<think>(.*?)</think>", "(.*?)</answer>$"})
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void thousandsOfMarksWithoutAnEndTakeLinearTime(String pattern) {
    ActionParser parser = parser(pattern, LAKE);
    for (String marks : List.of("<answer>", "<think>", "<think></think>\n<answer>", "<think> ")) {
      assertNull(parser.parse(marks.repeat(50_000)));
      assertNull(parser.parse(marks.repeat(50_000) + "</answer >"));
    }
  }

  private static ActionParser parser(String pattern, Map<Integer, String> lookup) {
    var declared =
        List.<Option<?>>of(ActionParser.PATTERN.withDefault(pattern), ActionParser.SPECIAL_TOKENS);
    return new ActionParser(TestOptions.of("env_config", Map.of(), declared), lookup);
  }

  /** The pattern may come from an untrusted folder. */
  @ParameterizedTest
  @ValueSource(strings = {"((a+)+)$", "((?:a|aa)*)b", "(.*)(?:.*)(?:.*)x$"})
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPatternThatTakesAgesFindsNothing(String pattern) {
    for (int length : new int[] {60, 20_000}) {
      assertNull(parser(pattern, Map.of()).parse("a".repeat(length) + "!"));
    }
  }
}
