package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed bodies are refused in one line and in the form of their dialect. */
class MalformedBodiesTest extends ServerTestBase {
  private static final String MESSAGES = "/v1/messages";
  private static final String RESPONSES = "/v1/responses";

  /** A request that uses much of each dialect. */
  private static final Map<String, String> WHOLE =
      Map.of(
          CHAT,
          """
          {"model":"tiny","max_tokens":9,"stop":["x"],"temperature":1,"stream":false,
           "chat_template_kwargs":{},"reasoning_effort":"low","tool_choice":"auto",
           "tools":[{"type":"function","function":{"name":"t","parameters":{}}}],
           "messages":[{"role":"user","content":[{"type":"text","text":"a"}]},
            {"role":"assistant","content":"b","tool_calls":[
             {"id":"c","type":"function","function":{"name":"t","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"c","content":"d"}]}
          """,
          MESSAGES,
          """
          {"model":"tiny","max_tokens":9,"stop_sequences":["x"],"temperature":1,"stream":false,
           "chat_template_kwargs":{},"thinking":{"type":"enabled","budget_tokens":1024},
           "tools":[{"name":"t","input_schema":{"type":"object"}}],"tool_choice":{"type":"auto"},
           "system":[{"type":"text","text":"s"}],"context_management":{"edits":[]},
           "messages":[{"role":"user","content":[{"type":"text","text":"a"}]},
            {"role":"assistant","content":[{"type":"thinking","thinking":"h","signature":"s"},
             {"type":"text","text":"b"},{"type":"tool_use","id":"c","name":"t","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"c",
             "content":[{"type":"text","text":"d"}]}]}]}
          """,
          RESPONSES,
          """
          {"model":"tiny","max_output_tokens":9,"temperature":1,"stream":false,"instructions":"s",
           "chat_template_kwargs":{},"reasoning":{"effort":"low"},"include":[],"store":true,
           "tools":[{"type":"function","name":"t","parameters":{}}],"tool_choice":"auto",
           "text":{"format":{"type":"text"}},
           "input":[{"role":"user","content":[{"type":"input_text","text":"a"}]},
            {"type":"reasoning","id":"r","summary":[],
             "content":[{"type":"reasoning_text","text":"h"}]},
            {"type":"message","role":"assistant","content":[{"type":"output_text","text":"b"}]},
            {"type":"function_call","call_id":"c","name":"t","arguments":"{}"},
            {"type":"function_call_output","call_id":"c","output":"d"}]}
          """);

  private static final List<String> NO_JSON =
      List.of(
          "",
          "{",
          "[]",
          "1",
          "null",
          "\"a\"",
          "{}}",
          "{'a':1}",
          "{\"a\":1,\"a\":2}",
          "{\"a\":NaN}",
          "{\"a\":1e999}",
          "{\"a\":\"\\ud800\"}",
          "[".repeat(100),
          "{\"\":{}}",
          "\u0000");

  /** Values of other types than those in {@link #WHOLE}. */
  private static final List<JsonElement> WRONG =
      List.of(
          new JsonPrimitive(-7.5),
          new JsonPrimitive("\n<|x|>"),
          new JsonPrimitive(true),
          new JsonObject(),
          nested(),
          JsonNull.INSTANCE);

  private static JsonElement nested() {
    JsonArray list = new JsonArray();
    list.add(new JsonArray());
    return list;
  }

  @Test
  void theWholeRequestsAreRight() {
    for (Map.Entry<String, String> request : WHOLE.entrySet()) {
      HttpResponse<String> response = client().post(request.getKey(), request.getValue());
      assertEquals(200, response.statusCode(), response.body());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {CHAT, MESSAGES, RESPONSES})
  void malformedBodiesAreRefused(String path) {
    for (String body : NO_JSON) {
      check(path, body, client().post(path, body), false);
    }
    JsonObject whole = json(WHOLE.get(path));
    List<JsonObject> bodies = new ArrayList<>();
    mutate(whole, whole, bodies);
    assertTrue(bodies.size() > 150, "" + bodies.size());
    int refused = 0;
    for (JsonObject body : bodies) {
      HttpResponse<String> response = client().post(path, body.toString());
      check(path, body.toString(), response, true);
      refused += response.statusCode() == 200 ? 0 : 1;
    }
    assertTrue(refused > 100, refused + " of " + bodies.size());
  }

  /** Adds copies of {@code whole} in which a value inside {@code at} is replaced or removed. */
  private static void mutate(JsonObject whole, JsonElement at, List<JsonObject> bodies) {
    if (at instanceof JsonObject object) {
      for (String name : List.copyOf(object.keySet())) {
        JsonElement right = object.get(name);
        for (JsonElement wrong : WRONG) {
          object.add(name, wrong);
          bodies.add(whole.deepCopy());
        }
        object.remove(name);
        bodies.add(whole.deepCopy());
        object.add(name, right);
        mutate(whole, right, bodies);
      }
    } else if (at instanceof JsonArray list) {
      for (int i = 0; i < list.size(); i++) {
        JsonElement right = list.get(i);
        for (JsonElement wrong : WRONG) {
          list.set(i, wrong);
          bodies.add(whole.deepCopy());
        }
        list.set(i, right);
        mutate(whole, right, bodies);
      }
    }
  }

  /** Checks a refusal; a body with a replaced value may be right. */
  private static void check(
      String path, String body, HttpResponse<String> response, boolean mayBeRight) {
    if (mayBeRight && response.statusCode() == 200) {
      return;
    }
    String shown = path + " " + body + " -> " + response.body();
    assertTrue(response.statusCode() == 400 || response.statusCode() == 404, shown);
    JsonObject answer = JsonParser.parseString(response.body()).getAsJsonObject();
    JsonObject error = answer.getAsJsonObject("error");
    String message = error.get("message").getAsString();
    assertFalse(message.isBlank(), shown);
    assertFalse(message.contains("java.") || message.contains("Exception"), shown);
    assertEquals(1, response.body().lines().count(), shown);
    if (path.equals(MESSAGES)) {
      assertEquals("error", answer.get("type").getAsString(), shown);
      assertEquals(2, error.size(), shown);
    } else {
      assertEquals(List.of("message", "type", "param", "code"), List.copyOf(error.keySet()));
    }
  }
}
