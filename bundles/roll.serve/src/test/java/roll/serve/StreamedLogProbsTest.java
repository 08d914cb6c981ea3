package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A stream has the log-probs of the complete answer, each with its text. */
class StreamedLogProbsTest extends ServerTestBase {
  private static String chat(String more) {
    return body(",\"logprobs\":true" + more);
  }

  /** Returns the log-probs of all chunks, joined. */
  private static JsonArray told(List<JsonObject> parts) {
    JsonArray all = new JsonArray();
    for (JsonObject part : parts) {
      if (OpenAiClient.choice(part).get("logprobs") instanceof JsonObject logProbs) {
        assertTrue(!logProbs.getAsJsonArray("content").isEmpty(), "told where there are none");
        all.addAll(logProbs.getAsJsonArray("content"));
      }
    }
    return all;
  }

  @Test
  void eachPartHasThoseOfItsTokens() {
    model.text = "aü.";
    List<JsonObject> parts = client().stream(CHAT, chat(",\"stream\":true"));
    List<JsonArray> told =
        parts.subList(1, 4).stream()
            .map(p -> OpenAiClient.choice(p).getAsJsonObject("logprobs").getAsJsonArray("content"))
            .toList();
    assertEquals(List.of(1, 2, 1), told.stream().map(JsonArray::size).toList());
    assertEquals(
        JsonParser.parseString(
            "{\"token\":\".\",\"logprob\":-0.75,\"bytes\":[46],\"top_logprobs\":[]}"),
        told.get(2).get(0));
    assertTrue(OpenAiClient.choice(parts.getLast()).get("logprobs").isJsonNull());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Hello | ",
        "ü🐧 you | ",
        "one. two | ,\"stop\":\". \"",
        "one. | ,\"stop\":[\".\",\"x\"]",
        "Hello | ,\"max_tokens\":3",
        "🐧 | ,\"max_tokens\":2",
        "see <tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call> |"
            + " ,\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]",
        "a <tool | ,\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]",
      })
  void aStreamEqualsTheCompleteAnswer(String text, String more) {
    model.text = text;
    String further = more == null ? "" : more;
    JsonObject whole = client().ask(CHAT, chat(further));
    assertEquals(
        OpenAiClient.choice(whole).getAsJsonObject("logprobs").getAsJsonArray("content"),
        told(client().stream(CHAT, chat(further + ",\"stream\":true"))));
  }

  @Test
  void textCompletionsToo() {
    model.text = "aü";
    List<JsonObject> parts =
        client().stream(
            TEXT, "{\"model\":\"tiny\",\"prompt\":\"x\",\"logprobs\":0,\"stream\":true}");
    assertEquals(
        JsonParser.parseString(
            """
            {"tokens":["\uFFFD","\uFFFD"],"token_logprobs":[-0.25,-0.5],"top_logprobs":null,
             "text_offset":[1,1]}
            """),
        OpenAiClient.choice(parts.get(1)).get("logprobs"));
  }
}
