package roll.agent.openai;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.remote.RequestFailure;

/** Parses responses of an endpoint. */
final class ChatCompletion {
  private ChatCompletion() {}

  /**
   * Returns the text of the first choice, then its tool calls as text; may be empty.
   *
   * @throws RequestFailure if {@code body} is not a chat completion
   */
  static String content(String body) throws RequestFailure {
    JsonObject answer = object(body);
    JsonElement choices = answer == null ? null : answer.get("choices");
    if (choices instanceof JsonArray list
        && !list.isEmpty()
        && list.get(0) instanceof JsonObject choice
        && choice.get("message") instanceof JsonObject message) {
      Optional<String> text = text(message.get("content"));
      Optional<List<String>> calls =
          HermesCallText.of(
              message.get("tool_calls") instanceof JsonArray told ? told : new JsonArray());
      if (text.isPresent() && calls.isPresent()) {
        return Stream.concat(text.filter(said -> !said.isEmpty()).stream(), calls.get().stream())
            .collect(Collectors.joining("\n"));
      }
    }
    throw RequestFailure.unreadable("chat completion", body);
  }

  private static Optional<String> text(@Nullable JsonElement content) {
    if (content == null || content.isJsonNull()) {
      return Optional.of("");
    }
    return content.isJsonPrimitive() ? Optional.of(content.getAsString()) : Optional.empty();
  }

  /** Returns the message of an error response; without one, the body. */
  static String problem(String body) {
    JsonObject answer = object(body);
    JsonElement error = answer == null ? null : answer.get("error");
    JsonElement message = error instanceof JsonObject said ? said.get("message") : error;
    if (message == null && answer != null) {
      message = answer.has("message") ? answer.get("message") : answer.get("detail");
    }
    return message != null && message.isJsonPrimitive() ? message.getAsString() : body;
  }

  private static @Nullable JsonObject object(String body) {
    try {
      return JsonParser.parseString(body) instanceof JsonObject object ? object : null;
    } catch (JsonParseException e) {
      return null;
    }
  }
}
