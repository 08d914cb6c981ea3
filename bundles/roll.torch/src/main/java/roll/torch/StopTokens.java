package roll.torch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import roll.api.config.UserException;

/**
 * Which tokens end a response, according to a model folder: the end-of-sequence and padding tokens
 * that generation_config.json and config.json give by id and tokenizer_config.json by text.
 */
final class StopTokens {
  private StopTokens() {}

  /**
   * The ids, rising.
   *
   * @throws UserException if a file names a token that does not exist
   */
  static List<Integer> of(Path folder, Vocabulary vocabulary) {
    Set<Integer> ids = new TreeSet<>();
    for (String name : List.of("generation_config.json", "config.json")) {
      Path file = folder.resolve(name);
      if (Files.isRegularFile(file)) {
        Map<String, @Nullable Object> json = ModelFolder.readJson(file);
        for (String key : List.of("eos_token_id", "pad_token_id")) {
          addIds(file + ": " + key, json.get(key), vocabulary, ids);
        }
      }
    }
    Path file = folder.resolve("tokenizer_config.json");
    if (Files.isRegularFile(file)) {
      Map<String, @Nullable Object> json = ModelFolder.readJson(file);
      for (String key : List.of("eos_token", "pad_token")) {
        addText(file + ": " + key, json.get(key), vocabulary, ids);
      }
    }
    return List.copyOf(ids);
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
      case Map<?, ?> token -> addText(where, token.get("content"), vocabulary, ids);
      default -> throw new UserException(where + ": '" + value + "' is not a token");
    }
  }
}
