package roll.env.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.data.RandomStreams;

/** Tests of the parsing of actions. */
class ActionFormatTest {
  private static String read(String response) {
    return new ActionFormat(
            Optional.of(FieldPath.of("move")), "string", List.of(), new JsonObject())
        .action(response)
        .get("move")
        .getAsString();
  }

  /** The last match of an expression, in random texts of whole and broken answers. */
  @Test
  void itIsBetweenTheLastMarks() {
    Pattern answer = Pattern.compile("<answer>(.*?)</answer>", Pattern.DOTALL);
    List<String> pieces = List.of("<answer>", "</answer>", "Up", "<", " ", "\n");
    RandomGenerator random = RandomStreams.of(1, "answers");
    for (int i = 0; i < 20_000; i++) {
      StringBuilder response = new StringBuilder();
      for (int left = random.nextInt(10); left > 0; left--) {
        response.append(pieces.get(random.nextInt(pieces.size())));
      }
      String expected = response.toString().strip();
      for (Matcher found = answer.matcher(response); found.find(); ) {
        expected = found.group(1).strip();
      }
      assertEquals(expected, read(response.toString()), response::toString);
    }
  }

  @Test
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void thousandsOfMarksWithoutAnEndTakeLinearTime() {
    String marks = "<answer>".repeat(50_000);
    assertEquals(marks, read(marks));
  }
}
