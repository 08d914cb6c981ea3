package roll.ui.trajectory;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Map;
import roll.runtime.option.SecretRedactor;
import roll.runtime.option.Secrets;

/** Hides secrets in the texts of an episode, and in its tokens. */
final class EpisodeSecrets {
  private static final JsonPrimitive HIDDEN = new JsonPrimitive("…");

  private EpisodeSecrets() {}

  /** Hides all secrets in {@code episode}. */
  static void hide(JsonObject episode) {
    for (Map.Entry<String, JsonElement> entry : episode.entrySet()) {
      if (entry.getKey().equals("sequences") && entry.getValue() instanceof JsonArray sequences) {
        sequences.forEach(EpisodeSecrets::hideTokens);
      } else {
        entry.setValue(hidden(entry.getKey(), entry.getValue()));
      }
    }
  }

  private static JsonElement hidden(String key, JsonElement value) {
    switch (value) {
      case JsonPrimitive one when one.isString() -> {
        return Secrets.is(key)
            ? HIDDEN
            : new JsonPrimitive(SecretRedactor.hiddenInSpeech(one.getAsString()));
      }
      case JsonObject object ->
          object
              .entrySet()
              .forEach(entry -> entry.setValue(hidden(entry.getKey(), entry.getValue())));
      case JsonArray array -> {
        for (int i = 0; i < array.size(); i++) {
          array.set(i, hidden(key, array.get(i)));
        }
      }
      default -> {
        // a number, true, false or null
      }
    }
    return value;
  }

  /** Hides all tokens that contain a part of a secret. */
  private static void hideTokens(JsonElement sequence) {
    if (!(sequence instanceof JsonObject tokens)
        || !(tokens.get("texts") instanceof JsonArray texts)) {
      return;
    }
    StringBuilder whole = new StringBuilder();
    texts.forEach(text -> whole.append(text(text)));
    List<SecretRedactor.Span> spans = SecretRedactor.inSpeech(whole.toString());
    int next = 0;
    int from = 0;
    for (int t = 0; t < texts.size() && next < spans.size(); t++) {
      int to = from + text(texts.get(t)).length();
      if (from < spans.get(next).to() && to > spans.get(next).from()) {
        texts.set(t, HIDDEN);
      }
      while (next < spans.size() && spans.get(next).to() <= to) {
        next++;
      }
      from = to;
    }
  }

  private static String text(JsonElement token) {
    return token.isJsonPrimitive() ? token.getAsString() : "";
  }
}
