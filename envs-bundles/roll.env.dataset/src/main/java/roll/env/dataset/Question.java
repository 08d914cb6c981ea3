package roll.env.dataset;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.Row;
import roll.api.env.Observation;
import roll.api.option.UserException;
import roll.text.Suggestion;

/**
 * A row as a question.
 *
 * @param row it comes from
 * @param system what its system message says, empty without one
 * @param before what its user message says first
 * @param asked what it says then, with the marks of its pictures
 * @param images its pictures
 */
record Question(Row row, String system, String before, String asked, QuestionImages images) {
  /** Fields that may hold the question, the first there is. */
  static final List<String> KEYS = List.of("question", "problem", "instruction", "prompt");

  private static final String SOURCE = "data_source";

  /** What its user message says. */
  String text() {
    return before + images.text(asked);
  }

  /**
   * What its user message says and shows.
   *
   * @throws UserException if a picture cannot be read
   */
  Observation observation() {
    return images.observation(before, asked);
  }

  /**
   * The question of {@code row}.
   *
   * @param key of the field with it, or null for the first of {@link #KEYS} there is
   * @param imageKey of the field with its pictures
   * @throws UserException if there is none, or it is neither a text nor chat messages
   */
  static Question of(Row row, @Nullable String key, String imageKey) {
    String name = key == null ? first(row) : key;
    QuestionImages images = QuestionImages.of(row, imageKey);
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
      case String text -> with(images, "", text);
      case List<?> messages -> chat(row, name, messages, images);
      default -> throw wrong(row, name, "a text or a list of chat messages");
    };
  }

  private static Question with(QuestionImages images, String system, String asked) {
    Question question = new Question(images.row(), system, "", asked, images);
    var unused = question.text(); // whose places are counted
    return question;
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
  private static Question chat(Row row, String name, List<?> messages, QuestionImages images) {
    String system = "";
    for (int i = 0; i < messages.size(); i++) {
      if (!(messages.get(i) instanceof Map<?, ?> message)
          || !(message.get("content") instanceof String content)) {
        throw wrong(row, name, "chat messages with 'role' and 'content' as texts");
      }
      boolean last = i == messages.size() - 1;
      if (last && "user".equals(message.get("role"))) {
        return with(images, system, content);
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
    return system.isEmpty() ? this : new Question(row, "", system + "\n\n" + before, asked, images);
  }

  /** The row's answer where that is a text. */
  Optional<String> answer() {
    return row.fields().get("answer") instanceof String answer
        ? Optional.of(answer)
        : Optional.empty();
  }

  /**
   * All fields of the row but for the bytes of pictures, and where it comes from if none says so.
   */
  Map<String, Object> facts() {
    Map<String, Object> facts = images.fields();
    String file = String.valueOf(row.file().getFileName());
    int end = file.lastIndexOf('.');
    facts.putIfAbsent(SOURCE, end > 0 ? file.substring(0, end) : file);
    return facts;
  }
}
