package roll.reward.llm_judge;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import roll.remote.ApiClient;
import roll.remote.RequestFailure;

/**
 * A judge behind an endpoint with OpenAI's chat completions.
 *
 * @param service the endpoint
 * @param model the endpoint's name of the model
 * @param temperature sampling temperature
 * @param tokens maximum tokens of an answer
 */
record JudgeEndpoint(ApiClient service, String model, double temperature, int tokens)
    implements AutoCloseable {
  /**
   * Returns the model's answer to {@code prompt}.
   *
   * @throws roll.api.option.UserException if the request fails
   */
  String ask(String prompt) throws InterruptedException {
    try {
      return content(service.post(body(prompt).toString()));
    } catch (RequestFailure e) {
      throw service.complaint(e, e.body());
    }
  }

  private JsonObject body(String prompt) {
    JsonObject message = new JsonObject();
    message.addProperty("role", "user");
    message.addProperty("content", prompt);
    JsonArray messages = new JsonArray();
    messages.add(message);
    JsonObject body = new JsonObject();
    body.addProperty("model", model);
    body.add("messages", messages);
    body.addProperty("temperature", temperature);
    body.addProperty("max_tokens", tokens);
    return body;
  }

  /** Returns the text of the first choice; empty if the model wrote none. */
  private static String content(String body) throws RequestFailure {
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
      // reported below
    }
    throw RequestFailure.unreadable("chat completion", body);
  }

  @Override
  public void close() {
    service.close();
  }
}
