package roll.huggingface;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * Checks the parts of a {@code tokenizer.json} before the native library reads it, which aborts the
 * process on invalid parts. Fields are checked by name in every part, since the library guesses the
 * type of parts without one.
 */
final class TokenizerParts {
  /** Maximum expansion factor of a text. */
  private static final double GROWTH = 1000;

  private static final int LONGEST_WORD = 256;

  private static final List<String> PARTS =
      List.of("normalizer", "pre_tokenizer", "post_processor", "decoder");

  /** Parts that cannot fail with any fields. */
  private static final Set<String> PLAIN =
      Set.of(
          "BPE",
          "WordLevel",
          "NFC",
          "NFD",
          "NFKC",
          "NFKD",
          "Lowercase",
          "Prepend",
          "Replace",
          "Sequence",
          "Split",
          "ByteLevel",
          "Metaspace",
          "Digits",
          "Whitespace",
          "WhitespaceSplit",
          "TemplateProcessing",
          "ByteFallback",
          "Fuse",
          "Strip");

  /** Names of normalizers that keep the kind of characters. */
  private static final Set<String> SAME_KIND = Set.of("NFC", "NFD", "Lowercase", "Sequence");

  private final String file;
  private final int tokens;
  private final List<SplitPattern> patterns = new ArrayList<>();
  private boolean changing;
  private boolean plain = true;
  private double growth = 1;
  private String part = "";

  private TokenizerParts(String file, int tokens) {
    this.file = file;
    this.tokens = tokens;
  }

  /**
   * Checks the parts of the tokenizer.json {@code file}.
   *
   * @param parts by name; of the model without vocabulary and merges
   * @param tokens size of the vocabulary
   * @throws UserException if a part is invalid
   */
  static TokenizerParts of(String file, Map<String, JsonElement> parts, int tokens) {
    TokenizerParts found = new TokenizerParts(file, tokens);
    for (String name : PARTS) {
      found.part = name;
      JsonElement part = parts.getOrDefault(name, JsonNull.INSTANCE);
      found.plain &= part.isJsonNull() || part.isJsonObject();
      found.look(part);
    }
    found.part = "model";
    found.model(parts.getOrDefault("model", JsonNull.INSTANCE));
    if (found.growth > GROWTH) {
      throw new UserException(
          "%s: normalizer: can make a text %.0f times as long; at most %.0f are allowed"
              .formatted(file, found.growth, GROWTH));
    }
    return found;
  }

  /** Returns whether no part can fail in the native library. */
  boolean plain() {
    return plain;
  }

  /**
   * Returns why {@code text} is refused, or null.
   *
   * @param most maximum characters
   */
  @Nullable String refusal(String text, int most) {
    if (text.length() * growth > most) {
      return "%,d characters; at most %,.0f are allowed".formatted(text.length(), most / growth);
    }
    return patterns.stream()
        .map(pattern -> pattern.refusal(text, changing))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private void model(JsonElement model) {
    if (!(model instanceof JsonObject object)) {
      plain = false;
      return;
    }
    kind(object, "");
    plain &= text(object, "continuing_subword_prefix").isEmpty();
    number(object, "max_input_chars_per_word", LONGEST_WORD);
  }

  /** Checks a part of a tokenizer.json and its nested parts. */
  private void look(JsonElement element) {
    switch (element) {
      case JsonArray array -> array.forEach(this::look);
      case JsonObject object -> {
        kind(object, part);
        object.asMap().values().forEach(this::look);
      }
      default -> {}
    }
  }

  private void kind(JsonObject object, String within) {
    String type = text(object, "type");
    boolean typed = object.has("type");
    if (typed || within.equals("model")) {
      plain &= PLAIN.contains(type);
    } else {
      // patterns, template pieces, and tokens by name
      plain &= !object.has("pattern") && !object.has("single") && !object.has("start");
    }
    if (within.equals("normalizer") && typed) {
      changing |= !SAME_KIND.contains(type);
    }
    if (object.has("Regex")) {
      SplitPattern pattern = SplitPattern.read(file + ": " + part, text(object, "Regex"));
      if (!part.equals("decoder")) {
        patterns.add(pattern);
      }
    }
    if (within.equals("pre_tokenizer") && splitsLikeGpt2(object, type)) {
      patterns.add(SplitPattern.read(file + ": " + part, SplitPattern.GPT2));
    }
    if (object.has("pattern") && object.has("content")) {
      grow(object.get("pattern"), text(object, "content"));
    }
    if (object.has("precompiled_charsmap")) {
      growth *= PrecompiledMap.read(file + ": " + part, text(object, "precompiled_charsmap"));
    }
    if (object.has("single")) {
      TemplatePieces.check(file + ": " + part, object, tokens);
    }
    if (positive(object, "start") && positive(object, "stop")) {
      throw new UserException(
          "%s: %s: Strip on both ends aborts the process for a token without other characters"
              .formatted(file, part));
    }
    for (String name : List.of("sep", "cls")) {
      if (object.get(name) instanceof JsonArray pair && pair.size() == 2) {
        TemplatePieces.token(file + ": " + part, pair.get(1), tokens);
      }
    }
  }

  private static boolean splitsLikeGpt2(JsonObject object, String type) {
    boolean byteLevel = type.equals("ByteLevel") || object.has("trim_offsets");
    return byteLevel
        && !(object.get("use_regex") instanceof JsonPrimitive use
            && use.isBoolean()
            && !use.getAsBoolean());
  }

  private void grow(JsonElement pattern, String content) {
    if (part.equals("normalizer")) {
      int read = pattern instanceof JsonObject object ? text(object, "String").length() : 0;
      // a pattern may match the empty text before each character
      growth *= Math.max(1, read > 0 ? (double) content.length() / read : content.length() + 1);
    }
  }

  private void number(JsonObject object, String name, int most) {
    if (object.get(name) instanceof JsonPrimitive value
        && value.isNumber()
        && !(value.getAsDouble() <= most)) {
      throw new UserException(
          "%s: %s: %s: expected at most %d, found %s".formatted(file, part, name, most, value));
    }
  }

  private static boolean positive(JsonObject object, String name) {
    return object.get(name) instanceof JsonPrimitive value
        && value.isNumber()
        && value.getAsDouble() > 0;
  }

  static String text(JsonObject object, String name) {
    return object.get(name) instanceof JsonPrimitive value && value.isString()
        ? value.getAsString()
        : "";
  }
}
