package roll.grader.math_verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Answers of real data sets, each equal to itself. */
class SharedDataTest {
  private static final Path DATA = Path.of(System.getProperty("roll.root", ""), "../shared/data");

  private final MathVerify grader = new MathVerify();

  @Test
  void answersOfGsm8k() throws IOException {
    List<String> answers =
        rows("gsm8k/train-first1000.jsonl").stream()
            .map(row -> row.get("answer").getAsString())
            .map(answer -> answer.substring(answer.indexOf("####") + 4).strip())
            .toList();
    assertEquals(1000, answers.size());
    same(answers, answer -> "\\boxed{" + answer + "}");
    same(answers, answer -> "She counts 3 boxes.\nThe answer is " + answer + ".");
    same(answers, answer -> "Adding up, it costs $" + answer);
    same(answers, answer -> "Therefore $x = " + answer + "$.");
  }

  /** The last number counts, unless a number follows the word "answer". */
  @Test
  void solutionsOfGsm8kWithTheirSteps() throws IOException {
    for (JsonObject row : rows("gsm8k/train-first1000.jsonl")) {
      String solution = row.get("answer").getAsString();
      String answer = solution.substring(solution.indexOf("####") + 4).strip();
      if (!solution.contains("answer")) {
        assertTrue(grader.equal(answer, solution), solution);
      }
    }
  }

  @Test
  void answersOfDeepMath() throws IOException {
    List<String> answers =
        rows("math/deepmath-roll-first200.jsonl").stream()
            .map(row -> row.get("ground_truth").getAsString())
            .toList();
    assertEquals(200, answers.size());
    same(answers, answer -> "\\boxed{" + answer + "}");
    same(
        answers,
        answer -> "We find 1 and 2 on the way. Finally $\\boxed{ " + answer + " }$, as asked.");
  }

  private void same(List<String> answers, UnaryOperator<String> response) {
    List<String> wrong =
        answers.stream().filter(answer -> !grader.equal(answer, response.apply(answer))).toList();
    assertEquals(List.of(), wrong);
  }

  private static List<JsonObject> rows(String file) throws IOException {
    Path path = DATA.resolve(file);
    assumeTrue(Files.exists(path), "no shared/data/" + file + " beside the repository");
    return Files.readAllLines(path).stream()
        .map(line -> JsonParser.parseString(line).getAsJsonObject())
        .toList();
  }
}
