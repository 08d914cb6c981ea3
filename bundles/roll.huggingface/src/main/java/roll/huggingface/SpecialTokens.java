package roll.huggingface;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * The special tokens in the files of a model folder: tokenizer_config.json has their text,
 * generation_config.json and config.json have ids. Every name must be a token.
 */
final class SpecialTokens {
  private static final List<String> NAMES =
      List.of("bos_token", "sep_token", "cls_token", "mask_token");
  private static final List<String> LISTS =
      List.of("additional_special_tokens", "extra_special_tokens");

  private SpecialTokens() {}

  /**
   * Returns the ascending ids of the stop tokens: the end-of-sequence tokens of all three files,
   * and the padding tokens that are special. Padding tokens that are ordinary (id 0 is often {@code
   * !}), or the unknown token, do not count.
   *
   * @throws UserException if a file names a special token that does not exist
   */
  static List<Integer> stops(Path folder, Vocabulary vocabulary) {
    Set<Integer> stops = new TreeSet<>();
    Set<Integer> pads = new TreeSet<>();
    Set<Integer> unknown = new TreeSet<>();
    for (String name : List.of("generation_config.json", "config.json")) {
      Path file = PeftFolder.find(folder, name);
      if (Files.isRegularFile(file)) {
        Map<String, @Nullable Object> json = ModelFolder.readJson(file);
        addIds(file + ": eos_token_id", json.get("eos_token_id"), vocabulary, stops);
        addIds(file + ": pad_token_id", json.get("pad_token_id"), vocabulary, pads);
      }
    }
    Path file = PeftFolder.find(folder, "tokenizer_config.json");
    if (Files.isRegularFile(file)) {
      Map<String, @Nullable Object> json = ModelFolder.readJson(file);
      addText(file + ": eos_token", json.get("eos_token"), vocabulary, stops);
      addText(file + ": pad_token", json.get("pad_token"), vocabulary, pads);
      addText(file + ": unk_token", json.get("unk_token"), vocabulary, unknown);
      Set<Integer> others = new TreeSet<>();
      NAMES.forEach(key -> addText(file + ": " + key, json.get(key), vocabulary, others));
      LISTS.forEach(key -> addAll(file + ": " + key, json.get(key), vocabulary, others));
    }
    pads.removeIf(pad -> !vocabulary.special(pad) || unknown.contains(pad));
    stops.addAll(pads);
    return List.copyOf(stops);
  }

  private static void addIds(
      String where, @Nullable Object value, Vocabulary vocabulary, Set<Integer> ids) {
    switch (value) {
      case null -> {}
      case Long id when id >= 0 && id < vocabulary.size() -> ids.add(id.intValue());
      case List<?> list -> list.forEach(id -> addIds(where, id, vocabulary, ids));
      default ->
          throw new UserException(
              where + ": expected a token id below " + vocabulary.size() + ", found " + value);
    }
  }

  private static void addText(
      String where, @Nullable Object value, Vocabulary vocabulary, Set<Integer> ids) {
    switch (value) {
      case null -> {}
      case String text when vocabulary.id(text) >= 0 -> ids.add(vocabulary.id(text));
      case Map<?, ?> token when token.containsKey("content") ->
          addText(where, token.get("content"), vocabulary, ids);
      default -> throw new UserException(where + ": '" + value + "' is not a token");
    }
  }

  /** Adds a list of tokens, or tokens by template names. */
  private static void addAll(
      String where, @Nullable Object value, Vocabulary vocabulary, Set<Integer> ids) {
    switch (value) {
      case List<?> tokens -> tokens.forEach(token -> addText(where, token, vocabulary, ids));
      case Map<?, ?> tokens ->
          tokens.forEach((name, token) -> addText(where + "." + name, token, vocabulary, ids));
      case null, default -> addText(where, value, vocabulary, ids);
    }
  }
}
