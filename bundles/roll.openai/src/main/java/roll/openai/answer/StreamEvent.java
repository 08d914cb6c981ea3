package roll.openai.answer;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;

/**
 * A server-sent event.
 *
 * @param text the event with its line breaks
 */
public record StreamEvent(String text) {
  /** The end of a stream of OpenAI's completions. */
  public static final StreamEvent DONE = new StreamEvent("data: [DONE]\n\n");

  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  /** Returns an event without a name. */
  public static StreamEvent of(JsonObject data) {
    return new StreamEvent("data: " + GSON.toJson(data) + "\n\n");
  }

  /** Returns an event with the name {@code type} of its {@code data}. */
  public static StreamEvent typed(JsonObject data) {
    String name = data.get("type").getAsString();
    return new StreamEvent("event: " + name + "\ndata: " + GSON.toJson(data) + "\n\n");
  }
}
