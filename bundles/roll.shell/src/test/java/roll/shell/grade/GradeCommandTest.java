package roll.shell.grade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.dataset.FileDataSets;
import roll.reward.format.FormatReward;
import roll.reward.format.LengthReward;
import roll.reward.format.ToolUseReward;
import roll.reward.gsm8k.Gsm8kReward;
import roll.reward.math.MathStringEqualRewardTool;
import roll.reward.math.StringGrader;
import roll.shell.Gogo;
import roll.shell.PrefixGrader;
import roll.testkit.InMemoryPluginRegistry;

/** {@code grade} with rewards and a grader of this project and files of every kind. */
class GradeCommandTest {
  private static final String REWARD = "roll.reward";

  @TempDir Path folder;

  private final InMemoryPluginRegistry shelf =
      new InMemoryPluginRegistry()
          .with(REWARD, "gsm8k", new Gsm8kReward())
          .with(REWARD, "format", new FormatReward())
          .with(REWARD, "length", new LengthReward())
          .with(REWARD, "tool_use", new ToolUseReward())
          .with(REWARD, "math_string_equal_reward_tool", new MathStringEqualRewardTool())
          .with(REWARD, "judge", new Asking())
          .with("roll.grader", "string", new StringGrader())
          .with("roll.grader", "prefix", new PrefixGrader(1));
  private final GradeCommand command = new GradeCommand(shelf, new FileDataSets(), null);

  @AfterEach
  void everythingIsGivenBack() {
    assertEquals(0, shelf.leased());
  }

  @Test
  void printsScoreAndExtractedAnswerOfEachRowAndTheMean() throws Exception {
    Path rows =
        rows(
            "{'answer': '72', 'response': 'so 48+24=72\\n#### 72'}",
            "",
            "{'answer': 10, 'response': '#### 1,0'}",
            "{'answer': ['3', 4.0], 'response': 'it is #### 4'}",
            "{'answer': '5', 'response': 'I do not know'}");
    String printed = grade("gsm8k", rows.toString());
    assertEquals(
        """
        line  score  extracted  known answer
        1     1.000  72         72
        3     1.000  10         10
        4     1.000  4          3 | 4
        5     0.000  –          5

        4 rows: mean score 0.750, correct 75.0 % (3 of 4); \
        """,
        printed.substring(0, printed.indexOf("; ") + 2));
  }

  /** Neither a call nor what comes of it is an answer, unless that ended the episode. */
  @Test
  void anEpisodeThatEndsBehindAToolHasNoAnswer() throws Exception {
    String row =
        "{'answer': '72', %s'messages': [{'role': 'assistant', 'content': '48+24'}, {'role':"
            + " 'tool', 'content': '72'}]}";
    Path rows = rows(row.formatted(""), row.formatted("'finish': 'terminal', "));
    String printed = grade("math_string_equal_reward_tool", rows.toString());
    assertTrue(printed.contains("1     0.100  –"), printed);
    assertTrue(printed.contains("2     1.000  72"), printed);
  }

  @Test
  void printsAnObjectARow() throws Exception {
    Path rows = rows("{'answer': '72', 'response': '#### 72'}", "{'answer': '7', 'response': ''}");
    assertEquals(
        """
        {"line":1,"score":1.0,"extracted":"72","known":["72"],"details":{"acc":1.0}}
        {"line":2,"score":0.0,"extracted":null,"known":["7"],"details":{"acc":0.0}}
        """,
        grade("string", rows.toString(), "--json")
            .replaceAll("(?m)^2 rows: mean score 0.500, correct 50.0 % \\(1 of 2\\).*\\R", ""));
  }

  @Test
  void takesTheOptionsOfWhatGrades() throws Exception {
    Path rows = rows("{'gold': 1, 'mine': 'it is 42', 'solution': '42'}");
    assertTrue(
        grade(
                "gsm8k",
                rows.toString(),
                "method=flexible",
                "answer_key=solution",
                "--response",
                "mine",
                "score=2")
            .contains("mean score 2.000, correct 100.0 % (1 of 1)"));
    assertTrue(
        grade("string", rows.toString(), "answer_key=solution", "--response=mine")
            .contains("mean score 1.000"));
    // a text stays a text, though it could be a number; there is no correct answer
    assertTrue(
        grade("format", rows.toString(), "--response", "mine", "pattern=42")
            .contains("1 row: mean score 1.000; "));
    assertTrue(
        grade(
                "length",
                rows.toString(),
                "--response=mine",
                "target=0",
                "limit=16",
                "unit=characters")
            .contains("mean score 0.500"));
  }

  @Test
  void takesTheOptionsOfAGrader() throws Exception {
    String rows = rows("{'answer': 'abc', 'response': 'abd'}").toString();
    assertTrue(grade("prefix", rows).contains("mean score 1.000"));
    assertTrue(grade("prefix", rows, "letters=3").contains("mean score 0.000"));
    wrong(
        "prefix.letters: expected an integer from 1 to 9, found '0'", "prefix", rows, "letters=0");
  }

  @Test
  void whatNeedsAConversationIsGivenOne() throws Exception {
    String name = "math_string_equal_reward_tool";
    String asked = "{'answer': 4, 'messages': [{'role': 'user', 'content': '2+2?'}";
    Path used =
        rows(
            asked + ", {'role': 'tool', 'content': '4'}], 'response': 'so 4'}",
            asked
                + ", {'role': 'tool', 'content': '4'}, {'role': 'assistant', 'content': 'so 4'}]}",
            asked + "], 'response': 'so 4'}");
    assertTrue(grade(name, used.toString()).contains("mean score 0.667"));
    wrong(
        "rows.jsonl:1: " + name + " grades the conversation",
        name,
        one("'answer': 4, 'response': 'so 4'"));
    wrong(
        "rows.jsonl:1: messages: expected a list of {\"role\": …, \"content\": …}, found 'hi'",
        name,
        one("'answer': 4, 'messages': 'hi'"));
  }

  @Test
  void whatARowLacksIsNotTakenForZero() throws Exception {
    String row = one("'answer': 4, 'response': 'so 4'");
    wrong("length: needs the tokens of an episode", "length", row, "target=1", "limit=9");
    wrong("tool_use: needs the metrics of an episode", "tool_use", row, "per_call=1");
    wrong("judge: model names a model of reward_models", "judge", row, "model=big");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'answer': 1                           | rows.jsonl:1: no response: expected a text",
        "'response': '1'                       | rows.jsonl:1: no answer that gsm8k could grade by",
        "'answer': null, 'response': '1'       | rows.jsonl:1: no answer that gsm8k could grade by",
        "'answer': [], 'response': '1'         | rows.jsonl:1: no answer that gsm8k could grade by",
        "'answer': {}, 'response': '1'         | rows.jsonl:1: no answer that gsm8k could grade by",
        "'answer': 1, 'response': 1            | rows.jsonl:1: the response is not a text: expected"
            + " a",
        "'answer': 1, 'response': ['1']        | rows.jsonl:1: the response is not a text: expected"
            + " a",
      })
  void rowsThatCannotBeGradedAreNamed(String fields, String said) throws Exception {
    wrong(said, "gsm8k", one(fields.strip()));
  }

  @Test
  void filesThatAreNoneAreNamed() throws Exception {
    wrong("there is no such file", "gsm8k", folder.resolve("no.jsonl").toString());
    wrong("a folder without a file of parquet, arrow, jsonl", "gsm8k", folder.toString());
    wrong("has no rows", "gsm8k", rows("", " ").toString());
    wrong("rows.jsonl:2: not valid JSON", "gsm8k", rows(one(), "{'answer'").toString());
    wrong("rows.jsonl:2: expected a mapping", "gsm8k", rows(one(), "[1]").toString());
    Path binary = folder.resolve("rows.jsonl");
    Files.write(binary, new byte[] {'{', (byte) 0xFF, (byte) 0xFE, 0, '}'});
    wrong("rows.jsonl:1: not UTF-8 text", "gsm8k", binary.toString());
    Files.writeString(binary, "{'answer': 1}".replace('\'', '"').repeat(1));
    String many = "{'answer': 1}";
    String mistakes = rows(one(), many, many, one(), many, many, many, many, many).toString();
    wrong("no response", "gsm8k", mistakes);
    wrong("; 6 more rows are invalid, lines 3, 5, 6, 7, 8, …", "gsm8k", mistakes);
  }

  @Test
  void whatIsNotThereOrUnknownIsNamed() throws Exception {
    String row = one("'answer': 1, 'response': '1'");
    wrong("grade: no reward or grader 'gsm8' (rewards: format, gsm8k,", "gsm8", row);
    wrong("did you mean 'gsm8k'?", "gsm8", row);
    wrong("gsm8k: unknown key 'methd'", "gsm8k", row, "methd=strict");
    wrong("gsm8k.method: expected one of strict, flexible", "gsm8k", row, "method=lax");
    wrong("string: unknown key 'method'", "string", row, "method=lax");
    wrong("gsm8k: expected key=value, found 'strict'", "gsm8k", row, "strict");
    wrong("format.pattern is required", "format", row);
    wrong("<rows.jsonl> is missing", "gsm8k");
    wrong("unknown option --jsn; did you mean '--json'?", "gsm8k", row, "--jsn");
    GradeCommand bare = new GradeCommand(shelf, null, null);
    assertTrue(
        assertThrows(UserException.class, () -> run(bare, "gsm8k", row))
            .getMessage()
            .contains("lacks the bundle roll.dataset"));
  }

  /** Texts of a model cannot control the terminal or widen a table without limit. */
  @Test
  void oddTextsAreShownHarmlessly() throws Exception {
    String huge = "x".repeat(1_000_000);
    Path rows =
        rows(
            "{'answer': '\\u001b[31m', 'response': '\\\\boxed{\\u001b[2J}'}",
            "{'answer': '" + huge + "', 'response': '\\\\boxed{" + huge + "}'}");
    String printed = grade("string", rows.toString());
    assertFalse(printed.contains("\u001B"), printed);
    assertTrue(printed.lines().allMatch(line -> line.length() < 120), printed);
    assertTrue(printed.contains("mean score 0.500"), printed);
  }

  private static String one() {
    return "{'answer': 1, 'response': '#### 1'}";
  }

  private String one(String fields) throws IOException {
    return rows("{" + fields + "}").toString();
  }

  private Path rows(String... lines) throws IOException {
    Path file = folder.resolve("rows.jsonl");
    String text = String.join("\n", lines).replace('\'', '"');
    return Files.writeString(file, text, StandardCharsets.UTF_8);
  }

  private String grade(String... words) throws Exception {
    return run(command, words);
  }

  private static String run(GradeCommand command, String... words) throws Exception {
    String quoted = String.join(" ", Arrays.stream(words).map(word -> "'" + word + "'").toList());
    try (Gogo gogo = new Gogo(command, "grade")) {
      return gogo.run("grade " + quoted);
    }
  }

  private void wrong(String said, String... words) {
    String message = assertThrows(UserException.class, () -> run(command, words)).getMessage();
    assertTrue(message.contains(said), message);
    assertFalse(message.contains("\n"), message);
  }

  /** Asks a model of the run. */
  private static final class Asking implements RewardFunction {
    private static final Option<String> MODEL = Option.text("model", "who");

    @Override
    public String description() {
      return "asks";
    }

    @Override
    public List<Option<?>> options() {
      return List.of(MODEL);
    }

    @Override
    public Reward configure(Options options) {
      throw new AssertionError("never made");
    }

    @Override
    public List<Option<String>> models(Options options) {
      return List.of(MODEL);
    }
  }
}
