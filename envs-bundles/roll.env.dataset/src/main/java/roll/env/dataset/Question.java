package roll.env.dataset;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.Row;
import roll.api.option.UserException;
import roll.text.Suggestion;

/**
 * A row as a question.
 *
 * @param row it comes from
 * @param system what its system message says, empty without one
 * @param text what its user message says
 */
record Question(Row row, String system, String text) {
  /** Fields that may hold the question, the first there is. */
  static final List<String> KEYS = List.of("question", "problem", "instruction", "prompt");

  private static final String SOURCE = "data_source";

  /**
   * The question of {@code row}.
   *
   * @param key of the field with it, or null for the first of {@link #KEYS} there is
   * @throws UserException if there is none, or it is neither a text nor chat messages
   */
  static Question of(Row row, @Nullable String key) {
    String name = key == null ? first(row) : key;
    Object value = row.fields().get(name);
    return switch (value) {
      case null ->
          throw new UserException(
              "%s: no field '%s' (it has: %s)%s"
                  .formatted(
                      row.where(),
                      name,
                      String.join(", ", row.fields().keySet()),
                      Suggestion.near(name, row.fields().keySet())));
      case String text -> new Question(row, "", text);
      case List<?> messages -> chat(row, name, messages);
      default -> throw wrong(row, name, "a text or a list of chat messages");
    };
  }

  private static String first(Row row) {
    return KEYS.stream()
        .filter(row.fields()::containsKey)
        .findFirst()
        .orElseThrow(
            () ->
                new UserException(
                    "%s: no field %s (it has: %s); name the field of the question as prompt_key"
                        .formatted(
                            row.where(),
                            String.join(", ", KEYS),
                            String.join(", ", row.fields().keySet()))));
  }

  /** At most a system message, then one of the user's: an episode is a single question. */
  private static Question chat(Row row, String name, List<?> messages) {
    String system = "";
    for (int i = 0; i < messages.size(); i++) {
      if (!(messages.get(i) instanceof Map<?, ?> message)
          || !(message.get("content") instanceof String content)) {
        throw wrong(row, name, "chat messages with 'role' and 'content' as texts");
      }
      boolean last = i == messages.size() - 1;
      if (last && "user".equals(message.get("role"))) {
        return new Question(row, system, content);
      } else if (i == 0 && "system".equals(message.get("role"))) {
        system = content;
      } else {
        break;
      }
    }
    throw wrong(row, name, "a user message, before it at most a system message");
  }

  private static UserException wrong(Row row, String name, String allowed) {
    return new UserException(row.where() + ": " + name + ": expected " + allowed);
  }

  /** The same, with the system message before the question. */
  Question told() {
    return system.isEmpty() ? this : new Question(row, "", system + "\n\n" + text);
  }

  /** The row's answer where that is a text. */
  Optional<String> answer() {
    return row.fields().get("answer") instanceof String answer
        ? Optional.of(answer)
        : Optional.empty();
  }

  /** All fields of the row, and where it comes from if none says so. */
  Map<String, Object> facts() {
    Map<String, Object> facts = new LinkedHashMap<>(row.fields());
    String file = String.valueOf(row.file().getFileName());
    int end = file.lastIndexOf('.');
    facts.putIfAbsent(SOURCE, end > 0 ? file.substring(0, end) : file);
    return facts;
  }
}
