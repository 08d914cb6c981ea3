package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that a request forces: the prompt begins them and the model continues. */
class ForcedCallsTest extends ServerTestBase {
  private static final String MESSAGES = "/v1/messages";
  private static final String RESPONSES = "/v1/responses";
  private static final String NAMED = "<tool_call>\n{\"name\": \"now\", \"arguments\":";
  private static final String ANY = "<tool_call>\n{\"name\": \"";

  @BeforeEach
  void script() {
    template = (where, context) -> ">";
  }

  /** A request to {@code path} with two tools and a choice of them. */
  private static String body(String path, String choice, String more) {
    String tools =
        switch (path) {
          case CHAT ->
              """
              {"type":"function","function":{"name":"now"}},
              {"type":"function","function":{"name":"then"}}\
              """;
          case MESSAGES ->
              """
              {"name":"now","input_schema":{}},{"name":"then","input_schema":{}}\
              """;
          default ->
              """
              {"type":"function","name":"now"},{"type":"function","name":"then"}\
              """;
        };
    String said =
        path.equals(RESPONSES)
            ? "\"input\":\"hi\""
            : "\"max_tokens\":99,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]";
    return "{\"model\":\"tiny\",%s,\"tools\":[%s],\"tool_choice\":%s%s}"
        .formatted(said, tools, choice, more);
  }

  /** Returns the name and the arguments of the first call in {@code answer}; empty for none. */
  private static String called(String path, JsonObject answer) {
    return switch (path) {
      case CHAT -> {
        JsonObject message = OpenAiClient.choice(answer).getAsJsonObject("message");
        JsonArray calls = message.getAsJsonArray("tool_calls");
        JsonObject call =
            calls == null
                ? new JsonObject()
                : calls.get(0).getAsJsonObject().getAsJsonObject("function");
        yield calls == null
            ? ""
            : call.get("name").getAsString() + call.get("arguments").getAsString();
      }
      case MESSAGES -> {
        JsonObject block = answer.getAsJsonArray("content").get(0).getAsJsonObject();
        yield block.has("name") ? block.get("name").getAsString() + block.get("input") : "";
      }
      default -> {
        JsonObject item = answer.getAsJsonArray("output").get(0).getAsJsonObject();
        yield item.has("name")
            ? item.get("name").getAsString() + item.get("arguments").getAsString()
            : "";
      }
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        CHAT + " | {\"type\":\"function\",\"function\":{\"name\":\"now\"}}",
        MESSAGES + " | {\"type\":\"tool\",\"name\":\"now\"}",
        RESPONSES + " | {\"type\":\"function\",\"name\":\"now\"}",
      })
  void aNamedToolIsCalled(String path, String choice) {
    model.text = " {\"in\": \"Zürich\"}}\n</tool_call>";
    assertEquals(
        "now{\"in\":\"Zürich\"}", called(path, client().ask(path, body(path, choice, ""))));
    assertEquals(">" + NAMED, prompt());
    model.text = " I will not";
    assertEquals("", called(path, client().ask(path, body(path, choice, ""))));
    HttpResponse<String> stream = client().post(path, body(path, choice, ",\"stream\":true"));
    assertTrue(stream.body().contains("I will not"), stream.body());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        CHAT + " | \"required\"",
        MESSAGES + " | {\"type\":\"any\"}",
        RESPONSES + " | \"required\"",
      })
  void anyToolIsCalled(String path, String choice) {
    model.text = "then\", \"arguments\": {}}</tool_call>";
    assertEquals("then{}", called(path, client().ask(path, body(path, choice, ""))));
    assertEquals(">" + ANY, prompt());
    HttpResponse<String> stream = client().post(path, body(path, choice, ",\"stream\":true"));
    assertTrue(stream.body().contains("\"then\""), stream.body());
    assertFalse(stream.body().contains("tool_call>"), stream.body());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        CHAT
            + " | {\"type\":\"function\",\"function\":{\"name\":\"never\"}} | there is no tool"
            + " 'never'",
        CHAT + " | {\"type\":\"function\"} | 'tool_choice.function': expected an object",
        CHAT + " | {\"type\":\"allowed_tools\"} | this server chooses functions only",
        CHAT + " | \"any\" | expected none, auto, required or a function",
        MESSAGES + " | {\"type\":\"tool\",\"name\":\"never\"} | there is no tool 'never'",
        MESSAGES + " | {\"type\":\"required\"} | expected auto, any, tool or none",
        RESPONSES + " | {\"type\":\"function\",\"name\":\"never\"} | there is no tool 'never'",
        RESPONSES + " | {\"type\":\"file_search\"} | this server chooses functions only",
      })
  void otherChoicesAreRefused(String path, String choice, String message) {
    HttpResponse<String> refused = client().post(path, body(path, choice, ""));
    assertEquals(400, refused.statusCode());
    assertTrue(refused.body().contains(message), refused.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {CHAT, RESPONSES})
  void aCallWithoutToolsIsRefused(String path) {
    String none = body(path, "\"required\"", "").replaceFirst("(?s)\"tools\":\\[.*?\\],", "");
    HttpResponse<String> refused = client().post(path, none);
    assertEquals(400, refused.statusCode(), none);
    assertTrue(refused.body().contains("has no tools"), refused.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {CHAT, MESSAGES, RESPONSES})
  void noCallIsForcedInAThought(String path) {
    template = (where, context) -> "><think>\n";
    String choice = path.equals(MESSAGES) ? "{\"type\":\"any\"}" : "\"required\"";
    HttpResponse<String> refused = client().post(path, body(path, choice, ""));
    assertEquals(400, refused.statusCode());
    assertTrue(refused.body().contains("turn thinking off"), refused.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {CHAT, MESSAGES, RESPONSES})
  void argumentsAreNotRestrictedToASchema(String path) {
    String choice = path.equals(MESSAGES) ? "{\"type\":\"auto\"}" : "\"auto\"";
    String strict =
        body(path, choice, "").replace("\"name\":\"then\"", "\"name\":\"then\",\"strict\":true");
    HttpResponse<String> refused = client().post(path, strict);
    assertEquals(400, refused.statusCode());
    assertTrue(refused.body().contains("strict': this server does not restrict"), refused.body());
    assertEquals(200, client().post(path, strict.replace("true", "false")).statusCode());
  }
}
