package roll.grader.math_verify;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.testkit.TestOptions;

/** The pairs of pairs.jsonl, which were written from the rules. */
class PairsTest {
  private static final double RIGHT = 0.97;

  private final MathVerify grader = new MathVerify();

  @Test
  void nearlyAllPairsAreGradedAsWritten() throws IOException {
    List<JsonObject> pairs = pairs();
    List<JsonObject> wrong =
        pairs.stream().filter(pair -> graded(pair) != pair.get("expected").getAsBoolean()).toList();
    assertTrue(pairs.size() >= 700, "too few pairs: " + pairs.size());
    assertTrue(
        wrong.size() <= pairs.size() * (1 - RIGHT),
        () -> wrong.size() + " of " + pairs.size() + " pairs are wrong: " + wrong);
  }

  @Test
  void noWrongAnswerIsGradedRight() throws IOException {
    List<JsonObject> wrong =
        pairs().stream()
            .filter(pair -> graded(pair) && !pair.get("expected").getAsBoolean())
            .toList();
    assertTrue(wrong.isEmpty(), wrong::toString);
  }

  private boolean graded(JsonObject pair) {
    return grader
        .configure(TestOptions.of("pair", options(pair), grader.options()))
        .equal(pair.get("gold").getAsString(), pair.get("prediction").getAsString());
  }

  /** Returns options of integers, flags and lists of texts. */
  private static Map<String, Object> options(JsonObject pair) {
    Map<String, Object> options = new LinkedHashMap<>();
    if (pair.has("options")) {
      pair.getAsJsonObject("options").entrySet().forEach(o -> options.put(o.getKey(), value(o)));
    }
    return options;
  }

  private static Object value(Map.Entry<String, JsonElement> option) {
    JsonElement value = option.getValue();
    if (value.isJsonArray()) {
      return value.getAsJsonArray().asList().stream().map(JsonElement::getAsString).toList();
    }
    boolean number = value.getAsJsonPrimitive().isNumber();
    return number ? (Object) value.getAsInt() : (Object) value.getAsBoolean();
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
