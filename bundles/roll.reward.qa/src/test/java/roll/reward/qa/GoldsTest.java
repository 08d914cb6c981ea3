package roll.reward.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.reward.AnswerKey;
import roll.testkit.TestOptions;

/** Every known answer of every row is correct. */
class GoldsTest {
  private static final TypeToken<Map<String, Object>> ROW = new TypeToken<>() {};
  private static final TypeToken<List<Map<String, Object>>> ROWS = new TypeToken<>() {};

  @ParameterizedTest
  @CsvSource({
    "hotpotqa-dev-first200.json, 200",
    "nq-open-dev-first200.jsonl, 200",
    "triviaqa-sample100.jsonl, 100"
  })
  void everyRowIsRight(String name, int size) throws Exception {
    Path file = Path.of(System.getProperty("roll.root"), "../shared/data/qa", name);
    assumeTrue(Files.exists(file), () -> "skipped, there is no " + file.normalize());
    AnswerKey key = AnswerKey.of(TestOptions.of("r", Map.of(), List.of(AnswerKey.OPTION)));
    List<Map<String, Object>> rows = rows(file);
    assertEquals(size, rows.size());
    for (Map<String, Object> row : rows) {
      for (String gold : key.answers(QaTest.answered(row, 0, ""))) {
        var grade = QaTest.grade(new QaF1Reward(), QaTest.answered(row, 0, gold));
        assertEquals(1, grade.score(), gold);
        assertEquals(1, grade.details().get("em"), gold);
        assertEquals(
            1, QaTest.grade(new ExactMatchReward(), QaTest.answered(row, 0, gold)).score());
      }
    }
  }

  private static List<Map<String, Object>> rows(Path file) throws Exception {
    Gson gson = new Gson();
    if (file.toString().endsWith(".json")) {
      return gson.fromJson(Files.readString(file), ROWS);
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      rows.add(gson.fromJson(line, ROW));
    }
    return rows;
  }
}
