package roll.huggingface;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import roll.api.option.UserException;

/**
 * Checks the post-processing template of a {@code tokenizer.json}. A piece with a missing name
 * aborts the native library.
 */
final class TemplatePieces {
  private static final int ADDED = 64;

  private final String where;
  private final JsonObject template;
  private final int tokens;
  private int texts;
  private int added;

  private TemplatePieces(String where, JsonObject template, int tokens) {
    this.where = where;
    this.template = template;
    this.tokens = tokens;
  }

  /**
   * Checks {@code template} for a single text; pairs are not used here.
   *
   * @param where file and key
   * @param tokens size of the vocabulary
   * @throws UserException if a piece is missing
   */
  static void check(String where, JsonObject template, int tokens) {
    TemplatePieces pieces = new TemplatePieces(where + ": single", template, tokens);
    if (template.get("single") instanceof JsonArray single) {
      single.forEach(pieces::add);
    }
    if (pieces.texts > 1 || pieces.added > ADDED) {
      throw new UserException(
          "%s: holds the text %d times and %d other tokens; at most once and %d are allowed"
              .formatted(pieces.where, pieces.texts, pieces.added, ADDED));
    }
  }

  private void add(JsonElement piece) {
    if (!(piece instanceof JsonObject place)) {
      return;
    }
    if (place.get("Sequence") instanceof JsonObject text) {
      String id = TokenizerParts.text(text, "id");
      if (!id.equals("A")) {
        throw new UserException(where + ": Sequence '" + id + "': only A is allowed");
      }
      texts++;
    } else if (place.get("SpecialToken") instanceof JsonObject token) {
      add(TokenizerParts.text(token, "id"));
    }
  }

  private void add(String name) {
    if (!(template.get("special_tokens") instanceof JsonObject known)
        || !(known.get(name) instanceof JsonObject token)) {
      throw new UserException(where + ": SpecialToken '" + name + "' is not among special_tokens");
    }
    if (token.get("ids") instanceof JsonArray ids) {
      ids.forEach(id -> token(where, id, tokens));
      added += ids.size();
    }
  }

  /**
   * Refuses invalid token ids in the template.
   *
   * @throws UserException if {@code id} is not below {@code tokens}
   */
  static void token(String where, JsonElement id, int tokens) {
    double value =
        id instanceof JsonPrimitive number && number.isNumber() ? number.getAsDouble() : -1;
    if (!(value >= 0 && value < tokens)) {
      throw new UserException(
          "%s: expected a token id below %d, found %s".formatted(where, tokens, id));
    }
  }
}
