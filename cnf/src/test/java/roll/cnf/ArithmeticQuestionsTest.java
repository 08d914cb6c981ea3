package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The questions of {@code configs/arithmetic*.yaml} are correct, and none occurs twice. */
class ArithmeticQuestionsTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));
  private static final Path DATA = ROOT.resolve("configs/data");
  private static final String DEMONSTRATIONS = "arithmetic-demos.jsonl";
  private static final String TRAIN = "arithmetic-train.jsonl";
  private static final String VALIDATION = "arithmetic-val.jsonl";
  private static final Map<String, Integer> ROWS =
      Map.of(DEMONSTRATIONS, 4096, TRAIN, 4096, VALIDATION, 256);

  /** Question, first number, sign, second number, optional third number, answer, remainder. */
  private static final Pattern ROW =
      Pattern.compile(
          "\\{\"question\": \"(?:What is|How much is|Compute) "
              + "(?<expression>(\\d+) ([-+*]) (\\d+)(?: \\+ (\\d+))?)[?.]\", "
              + "\"answer\": \"(-?\\d+)\"(?<rest>.*)}");

  @TempDir Path folder = Path.of("");

  @Test
  void noExpressionIsAskedTwiceWithinAFileOrInTwo() throws IOException {
    Set<String> asked = new HashSet<>();
    for (Map.Entry<String, Integer> file : ROWS.entrySet()) {
      List<MatchResult> rows = rows(file.getKey());
      assertEquals(file.getValue(), rows.size(), file.getKey());
      for (MatchResult row : rows) {
        assertTrue(asked.add(row.group("expression")), () -> file.getKey() + ": " + row.group());
      }
    }
  }

  @Test
  void answersAreRightAndNumbersInTheirRange() throws IOException {
    for (String file : ROWS.keySet()) {
      for (MatchResult row : rows(file)) {
        int a = number(row.group(2));
        int b = number(row.group(4));
        int c = row.group(5) == null ? 0 : number(row.group(5));
        int value =
            switch (row.group(3)) {
              case "+" -> a + b;
              case "-" -> a - b;
              default -> a * b;
            };
        assertEquals(value + c, Integer.parseInt(row.group(6)), row.group());
      }
    }
  }

  @Test
  void onlyDemonstrationsShowTheCallAndTheyShowTheirOwn() throws IOException {
    for (String file : ROWS.keySet()) {
      for (MatchResult row : rows(file)) {
        String shown =
            ", \"demonstration\": [{\"tool\": \"calculator\", \"arguments\": {\"expression\": \"%s\"}}, \"#### %s\"]"
                .formatted(row.group("expression"), row.group(6));
        assertEquals(file.equals(DEMONSTRATIONS) ? shown : "", row.group("rest"), row.group());
      }
    }
  }

  @Test
  @Tag("processes")
  void theCommittedDemonstrationsAreWhatTheRuleMakes() throws Exception {
    for (String other : List.of(TRAIN, VALIDATION)) {
      Files.copy(DATA.resolve(other), folder.resolve(other));
    }
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                ROOT.resolve("cnf/src/ArithmeticQuestions.java").toString(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    assertEquals(
        Files.readString(DATA.resolve(DEMONSTRATIONS)),
        Files.readString(folder.resolve(DEMONSTRATIONS)));
  }

  private static int number(String text) {
    int number = Integer.parseInt(text);
    assertTrue(number >= 2 && number <= 99, text);
    return number;
  }

  private static List<MatchResult> rows(String file) throws IOException {
    return Files.readAllLines(DATA.resolve(file)).stream()
        .map(
            line -> {
              var row = ROW.matcher(line);
              assertTrue(row.matches(), () -> file + ": " + line);
              return row.toMatchResult();
            })
        .toList();
  }
}
