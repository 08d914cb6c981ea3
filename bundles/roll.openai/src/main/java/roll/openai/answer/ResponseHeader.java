package roll.openai.answer;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The fields that all chunks of an answer share.
 *
 * @param created seconds since 1970
 */
public record ResponseHeader(String id, long created, String model) {
  /** Returns the header of an answer that begins now. */
  public static ResponseHeader of(String kind, String model) {
    return new ResponseHeader(id(kind, 32), Instant.now().getEpochSecond(), model);
  }

  /** Returns a unique id: {@code kind} and {@code length} random hexadecimal digits. */
  public static String id(String kind, int length) {
    return kind + UUID.randomUUID().toString().replace("-", "").substring(0, length);
  }

  /**
   * Returns a chunk, or a complete answer.
   *
   * @param usage token usage, or null
   */
  public JsonObject chunk(String object, JsonArray choices, @Nullable JsonElement usage) {
    JsonObject json = new JsonObject();
    json.addProperty("id", id);
    json.addProperty("object", object);
    json.addProperty("created", created);
    json.addProperty("model", model);
    json.add("choices", choices);
    if (usage != null) {
      json.add("usage", usage);
    }
    return json;
  }

  /** Returns the token usage of completions. */
  public static JsonObject usage(TokenUsage used) {
    JsonObject usage = new JsonObject();
    usage.addProperty("prompt_tokens", used.prompt());
    usage.addProperty("completion_tokens", used.written());
    usage.addProperty("total_tokens", used.prompt() + used.written());
    return usage;
  }
}
