package roll.reward.llm_judge;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.UserException;
import roll.api.http.PatientClient;
import roll.api.http.PostFailure;

/**
 * Where a model answers in the form of OpenAI's chat completions. A failure is a complaint of one
 * line, never with the key.
 */
final class Endpoint implements AutoCloseable {
  private final URI address;
  private final @Nullable String key;
  private final Asking asking;
  private final PatientClient client;

  /**
   * How it is asked.
   *
   * @param model the endpoint's name of it
   * @param tokens most of an answer
   */
  record Asking(String model, double temperature, int tokens) {}

  /**
   * The endpoint at {@code address}.
   *
   * @param key sent as a bearer token, or null
   */
  Endpoint(URI address, @Nullable String key, Asking asking, PatientClient.Limits limits) {
    this.address = address;
    this.key = key;
    this.asking = asking;
    this.client = new PatientClient(limits);
  }

  /**
   * What the model answers to {@code prompt}.
   *
   * @throws UserException if there is no answer
   */
  String ask(String prompt) throws InterruptedException {
    Map<String, String> headers = key == null ? Map.of() : Map.of("Authorization", "Bearer " + key);
    try {
      return content(client.post(address, headers, body(prompt).toString()));
    } catch (PostFailure e) {
      String line = address + " " + e.told(hidden(e.body()));
      throw new UserException("the reward llm_judge: " + hidden(line));
    }
  }

  private String hidden(String text) {
    return key == null ? text : text.replace(key, "…");
  }

  private JsonObject body(String prompt) {
    JsonObject message = new JsonObject();
    message.addProperty("role", "user");
    message.addProperty("content", prompt);
    JsonArray messages = new JsonArray();
    messages.add(message);
    JsonObject body = new JsonObject();
    body.addProperty("model", asking.model());
    body.add("messages", messages);
    body.addProperty("temperature", asking.temperature());
    body.addProperty("max_tokens", asking.tokens());
    return body;
  }

  /** The text of the first choice; empty where the model wrote none. */
  private static String content(String body) throws PostFailure {
    try {
      if (JsonParser.parseString(body) instanceof JsonObject answer
          && answer.get("choices") instanceof JsonArray choices
          && !choices.isEmpty()
          && choices.get(0) instanceof JsonObject choice
          && choice.get("message") instanceof JsonObject message) {
        JsonElement content = message.get("content");
        if (content == null || content.isJsonNull()) {
          return "";
        }
        if (content.isJsonPrimitive()) {
          return content.getAsString();
        }
      }
    } catch (JsonParseException e) {
      // said below
    }
    throw PostFailure.unreadable("chat completion", body);
  }

  @Override
  public void close() {
    client.close();
  }
}
