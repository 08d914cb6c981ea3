package roll.grader.math_verify;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The pairs of pairs.jsonl, which were written from the rules before the code was run on them. */
class PairsTest {
  private static final double RIGHT = 0.97;

  private final MathVerify grader = new MathVerify();

  @Test
  void nearlyAllPairsAreGradedAsWritten() throws IOException {
    List<JsonObject> pairs = pairs();
    List<JsonObject> wrong =
        pairs.stream().filter(pair -> graded(pair) != pair.get("expected").getAsBoolean()).toList();
    assertTrue(pairs.size() >= 150, "too few pairs: " + pairs.size());
    assertTrue(
        wrong.size() <= pairs.size() * (1 - RIGHT),
        () -> wrong.size() + " of " + pairs.size() + " pairs are wrong: " + wrong);
  }

  @Test
  void plainTextIsNeverWronglyRight() throws IOException {
    List<JsonObject> wrong =
        pairs().stream()
            .filter(pair -> pair.get("category").getAsString().equals("text"))
            .filter(pair -> graded(pair) && !pair.get("expected").getAsBoolean())
            .toList();
    assertTrue(wrong.isEmpty(), wrong::toString);
  }

  private boolean graded(JsonObject pair) {
    return grader.equal(pair.get("gold").getAsString(), pair.get("prediction").getAsString());
  }

  private static List<JsonObject> pairs() throws IOException {
    try (InputStream file = PairsTest.class.getResourceAsStream("pairs.jsonl")) {
      assertNotNull(file);
      return new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))
          .lines()
          .map(line -> JsonParser.parseString(line).getAsJsonObject())
          .toList();
    }
  }
}
