package roll.huggingface;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import roll.api.option.UserException;

/**
 * The tokens of a {@code tokenizer.json} by text, which the native library does not expose: the
 * model's vocabulary and the added tokens; and its other parts as JSON.
 */
final class Vocabulary {
  /** Maximum number of added tokens: the native library compares each with all before. */
  static final int MOST_ADDED = 20_000;

  /** Maximum characters of all added tokens, each of which takes some hundred bytes. */
  private static final int MOST_TEXT = 1 << 22;

  private static final int MOST_IDS = 1 << 24;

  private final Map<String, Integer> ids = new HashMap<>();
  private final Set<Integer> added = new HashSet<>();
  private final Set<Integer> special = new HashSet<>();
  private final Map<String, JsonElement> parts = new HashMap<>();
  private boolean exact = true;

  private Vocabulary() {}

  /**
   * Reads the tokens in {@code text}, the content of {@code file}.
   *
   * @throws UserException if it is not a tokenizer.json
   */
  static Vocabulary read(Path file, String text) {
    Vocabulary vocabulary = new Vocabulary();
    try (JsonReader json = new JsonReader(new StringReader(text))) {
      Set<String> names = new HashSet<>();
      json.beginObject();
      while (json.hasNext()) {
        String name = json.nextName();
        if (!names.add(name)) {
          throw new IllegalStateException("'" + name + "' is written twice");
        }
        switch (name) {
          case "added_tokens" -> vocabulary.readAdded(json);
          case "model" -> vocabulary.readModel(json);
          case "normalizer", "pre_tokenizer", "post_processor", "decoder" ->
              vocabulary.parts.put(name, JsonParser.parseReader(json));
          default -> json.skipValue();
        }
      }
    } catch (IOException | IllegalStateException | NumberFormatException | JsonParseException e) {
      String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new UserException(file + ": is not a tokenizer: " + reason, e);
    }
    if (vocabulary.ids.isEmpty()) {
      throw new UserException(file + ": is not a tokenizer: it has no tokens");
    }
    if (vocabulary.ids.values().stream().anyMatch(id -> id >= MOST_IDS)) {
      throw new UserException(
          "%s: is not a tokenizer: it has token ids from %d up".formatted(file, MOST_IDS));
    }
    return vocabulary;
  }

  private void readAdded(JsonReader json) throws IOException {
    json.beginArray();
    int characters = 0;
    for (int added = 1; json.hasNext(); added++) {
      if (added > MOST_ADDED || characters > MOST_TEXT) {
        throw new IllegalStateException(
            "it has more than %d added tokens or %d characters of them"
                .formatted(MOST_ADDED, MOST_TEXT));
      }
      String content = "";
      int id = -1;
      boolean control = false;
      json.beginObject();
      while (json.hasNext()) {
        switch (json.nextName()) {
          case "content" -> content = json.nextString();
          case "id" -> id = json.nextInt();
          case "special" -> control = json.nextBoolean();
          case "lstrip", "rstrip", "single_word", "normalized" -> exact &= !json.nextBoolean();
          default -> json.skipValue();
        }
      }
      json.endObject();
      characters += content.length();
      add(content, id, control);
    }
    json.endArray();
  }

  private void readModel(JsonReader json) throws IOException {
    JsonObject model = new JsonObject();
    json.beginObject();
    while (json.hasNext()) {
      String name = json.nextName();
      if (name.equals("merges")) {
        json.skipValue();
      } else if (!name.equals("vocab")) {
        model.add(name, JsonParser.parseReader(json));
      } else if (json.peek() == JsonToken.BEGIN_OBJECT) {
        readMapping(json);
      } else {
        readUnigrams(json);
      }
    }
    json.endObject();
    parts.put("model", model);
  }

  private void readMapping(JsonReader json) throws IOException {
    json.beginObject();
    while (json.hasNext()) {
      ids.put(json.nextName(), json.nextInt());
    }
    json.endObject();
  }

  /** Reads the pairs of text and score of a Unigram model; the index in the list is the id. */
  private void readUnigrams(JsonReader json) throws IOException {
    json.beginArray();
    for (int id = 0; json.hasNext(); id++) {
      json.beginArray();
      ids.put(json.nextString(), id);
      json.skipValue();
      json.endArray();
    }
    json.endArray();
  }

  /** Adds a token to the vocabulary, or marks a known one as {@code control}. */
  void add(String text, int id, boolean control) {
    ids.put(text, id);
    added.add(id);
    if (control) {
      special.add(id);
    }
  }

  /** Returns the other parts of the file by name; of the model without vocabulary and merges. */
  Map<String, JsonElement> parts() {
    return parts;
  }

  /** Records that an added token does not match exactly at its text. */
  void inexact() {
    exact = false;
  }

  /** Returns whether added tokens match exactly at their text. */
  boolean exact() {
    return exact;
  }

  /** Returns whether the token {@code id} is a special token. */
  boolean special(int id) {
    return special.contains(id);
  }

  /** Returns whether {@code id} was added to the model's vocabulary: its text is not encoded. */
  boolean added(int id) {
    return added.contains(id);
  }

  /** Returns all tokens by text. */
  Map<String, Integer> ids() {
    return Collections.unmodifiableMap(ids);
  }

  /** Returns the id of the token {@code text}, or −1. */
  int id(String text) {
    return ids.getOrDefault(text, -1);
  }

  /**
   * Returns the maximum bytes of a token's text, also valid for vocabularies that write each byte
   * as a character.
   */
  int longest() {
    return ids.keySet().stream()
        .mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length)
        .max()
        .orElse(1);
  }

  /** Returns the largest token id plus one. */
  int size() {
    return ids.values().stream().mapToInt(Integer::intValue).max().orElse(-1) + 1;
  }
}
