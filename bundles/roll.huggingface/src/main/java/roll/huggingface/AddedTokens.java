package roll.huggingface;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * The tokens that {@code tokenizer_config.json} adds to those of {@code tokenizer.json}:
 * transformers appends the unknown ones of {@code added_tokens_decoder}.
 */
final class AddedTokens {
  private static final String SPECIAL = "special";
  private static final List<String> FLAGS =
      List.of("single_word", "lstrip", "rstrip", "normalized", SPECIAL);

  private final List<JsonObject> tokens = new ArrayList<>();

  private AddedTokens() {}

  /**
   * Returns the tokens missing in {@code vocabulary}, and adds them to it.
   *
   * @throws UserException if the file contradicts the vocabulary
   */
  static AddedTokens addTo(Vocabulary vocabulary, Path folder) {
    AddedTokens added = new AddedTokens();
    Path file = PeftFolder.find(folder, "tokenizer_config.json");
    if (Files.isRegularFile(file)
        && ModelFolder.readJson(file).get("added_tokens_decoder") instanceof Map<?, ?> map) {
      String where = file + ": added_tokens_decoder: ";
      if (map.size() > Vocabulary.MOST_ADDED) {
        throw new UserException(where + "has more than " + Vocabulary.MOST_ADDED + " added tokens");
      }
      Map<Integer, Map<?, ?>> byId = new TreeMap<>();
      map.forEach((id, token) -> byId.put(id(where, id), token(where, token)));
      byId.forEach((id, token) -> added.add(where, id, token, vocabulary));
    }
    return added;
  }

  private static int id(String where, Object key) {
    try {
      return Integer.parseInt(key.toString());
    } catch (NumberFormatException e) {
      throw new UserException(where + "expected a token id, found '" + key + "'", e);
    }
  }

  private static Map<?, ?> token(String where, @Nullable Object value) {
    if (value instanceof Map<?, ?> token && token.get("content") instanceof String) {
      return token;
    }
    throw new UserException(where + "expected a token with its content, found '" + value + "'");
  }

  private void add(String where, int id, Map<?, ?> token, Vocabulary vocabulary) {
    String content = String.valueOf(token.get("content"));
    int known = vocabulary.id(content);
    int expected = known >= 0 ? known : vocabulary.size();
    if (id != expected) {
      throw new UserException(
          "%s'%s' is token %d, but tokenizer.json makes it %d"
              .formatted(where, content, id, expected));
    }
    vocabulary.add(content, id, Boolean.TRUE.equals(token.get(SPECIAL)));
    if (known < 0) {
      JsonObject entry = new JsonObject();
      entry.addProperty("id", id);
      entry.addProperty("content", content);
      FLAGS.forEach(flag -> entry.addProperty(flag, Boolean.TRUE.equals(token.get(flag))));
      tokens.add(entry);
      if (FLAGS.stream()
          .anyMatch(flag -> !flag.equals(SPECIAL) && entry.get(flag).getAsBoolean())) {
        vocabulary.inexact();
      }
    }
  }

  /** Returns the tokenizer.json {@code text} with these tokens. */
  String appendTo(String text) {
    if (tokens.isEmpty()) {
      return text;
    }
    JsonObject json = JsonParser.parseString(text).getAsJsonObject();
    if (!json.has("added_tokens")) {
      json.add("added_tokens", new JsonArray());
    }
    tokens.forEach(json.getAsJsonArray("added_tokens")::add);
    return json.toString();
  }
}
