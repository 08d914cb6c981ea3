package roll.dialect.responses;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.openai.answer.ResponseHeader;
import roll.openai.answer.TokenUsage;
import roll.openai.request.RequestFields;

/** The object {@code response}, which repeats parameters of its request. */
final class ResponseObject {
  private final RequestFields fields;
  private final ResponseHeader head;

  ResponseObject(RequestFields fields, String model) {
    this.fields = fields;
    this.head = ResponseHeader.of("resp_", model);
  }

  String id() {
    return head.id();
  }

  /** Returns the response before its end. */
  JsonObject begun() {
    return json("in_progress", new JsonArray(), null);
  }

  /**
   * Returns the complete response.
   *
   * @param whole whether it ended before the maximum length
   */
  JsonObject ended(boolean whole, JsonArray output, TokenUsage usage) {
    JsonObject json = json(whole ? "completed" : "incomplete", output, usage);
    if (!whole) {
      JsonObject details = new JsonObject();
      details.addProperty("reason", "max_output_tokens");
      json.add("incomplete_details", details);
    }
    return json;
  }

  /** Returns the response that failed with {@code message}. */
  JsonObject failed(JsonArray output, String message) {
    JsonObject error = new JsonObject();
    error.addProperty("code", "server_error");
    error.addProperty("message", message);
    JsonObject json = json("failed", output, null);
    json.add("error", error);
    return json;
  }

  private JsonObject json(String status, JsonArray output, @Nullable TokenUsage usage) {
    JsonObject json = new JsonObject();
    json.addProperty("id", head.id());
    json.addProperty("object", "response");
    json.addProperty("created_at", head.created());
    json.addProperty("status", status);
    json.addProperty("background", false);
    json.add("error", JsonNull.INSTANCE);
    json.add("incomplete_details", JsonNull.INSTANCE);
    json.add("instructions", given("instructions", JsonNull.INSTANCE));
    json.add("max_output_tokens", given("max_output_tokens", JsonNull.INSTANCE));
    json.addProperty("model", head.model());
    json.add("output", output);
    json.add("parallel_tool_calls", given("parallel_tool_calls", new JsonPrimitive(true)));
    json.add("previous_response_id", given("previous_response_id", JsonNull.INSTANCE));
    JsonObject reasoning = new JsonObject();
    reasoning.add("effort", JsonNull.INSTANCE);
    reasoning.add("summary", JsonNull.INSTANCE);
    json.add("reasoning", given("reasoning", reasoning));
    json.add("store", given("store", new JsonPrimitive(true)));
    json.add("temperature", given("temperature", new JsonPrimitive(1.0)));
    JsonObject plain = new JsonObject();
    plain.addProperty("type", "text");
    JsonObject text = new JsonObject();
    text.add("format", plain);
    json.add("text", given("text", text));
    json.add("tool_choice", given("tool_choice", new JsonPrimitive("auto")));
    json.add("tools", given("tools", new JsonArray()));
    json.add("top_p", given("top_p", new JsonPrimitive(1.0)));
    json.addProperty("truncation", "disabled");
    json.add("usage", usage == null ? JsonNull.INSTANCE : usage(usage));
    json.add("metadata", given("metadata", new JsonObject()));
    return json;
  }

  private JsonElement given(String name, JsonElement standard) {
    return Objects.requireNonNullElse(fields.get(name), standard);
  }

  private static JsonObject usage(TokenUsage used) {
    JsonObject read = new JsonObject();
    read.addProperty("cached_tokens", 0);
    read.addProperty("cache_write_tokens", 0);
    JsonObject written = new JsonObject();
    written.addProperty("reasoning_tokens", used.thought());
    JsonObject usage = new JsonObject();
    usage.addProperty("input_tokens", used.prompt());
    usage.add("input_tokens_details", read);
    usage.addProperty("output_tokens", used.written());
    usage.add("output_tokens_details", written);
    usage.addProperty("total_tokens", used.prompt() + used.written());
    return usage;
  }
}
