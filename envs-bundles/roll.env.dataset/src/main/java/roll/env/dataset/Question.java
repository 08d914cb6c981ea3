package roll.env.dataset;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.dataset.Row;
import roll.api.env.Observation;
import roll.api.option.UserException;
import roll.text.Suggestion;
import roll.text.chat.RowMessages;

/**
 * A row as a question.
 *
 * @param row it comes from
 * @param before the messages before the user's last one, a system message first where there is one
 * @param asked what the user's last message says, with the marks of its pictures
 * @param images its pictures
 */
record Question(Row row, List<Message> before, String asked, QuestionImages images) {
  /** Fields that may hold the question, the first there is. */
  static final List<String> KEYS =
      List.of(
          "question",
          "problem",
          "instruction",
          "prompt",
          "query",
          "messages",
          "conversations",
          "conversation");

  /** Fields of whole conversations, of which the assistant's last turn is no part of the prompt. */
  private static final List<String> WHOLE = List.of("messages", "conversations", "conversation");

  private static final String SOURCE = "data_source";
  private static final String SYSTEM = "system";

  /** What its user message says. */
  String text() {
    return images.text(asked);
  }

  /**
   * What its user message says and shows, and what was said before.
   *
   * @throws UserException if a picture cannot be read
   */
  Observation observation() {
    return images.observation(asked).behind(before);
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
      case Object messages when RowMessages.is(messages) -> chat(row, name, messages, images);
      case String text -> with(images, told(row), text + input(row, name));
      case List<?> messages -> chat(row, name, messages, images);
      default -> throw wrong(row, name, "a text or a list of chat messages");
    };
  }

  private static Question with(QuestionImages images, List<Message> before, String asked) {
    Question question = new Question(images.row(), before, asked, images);
    var unused = question.text(); // whose places are counted
    return question;
  }

  /** The text in the field {@code system}, as a system message. */
  private static List<Message> told(Row row) {
    return row.fields().get(SYSTEM) instanceof String system && !system.isBlank()
        ? List.of(new Message(SYSTEM, system))
        : List.of();
  }

  /** What Alpaca's rows ask beside the instruction. */
  private static String input(Row row, String name) {
    return name.equals("instruction")
            && row.fields().get("input") instanceof String input
            && !input.isBlank()
        ? "\n" + input
        : "";
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

  /** A conversation that the user's message ends: the answer to it is what is trained. */
  private static Question chat(Row row, String name, Object value, QuestionImages images) {
    String where = row.where() + ": " + name;
    List<Message> said = new ArrayList<>();
    for (Map<String, @Nullable Object> message :
        RowMessages.of(where, value, QuestionImages.PLACE)) {
      String role = String.valueOf(message.get("role"));
      if (message.containsKey("tool_calls") || role.equals("tool")) {
        throw new UserException(where + ": calls of tools are not shown in a prompt");
      }
      if (role.equals(SYSTEM) && !said.isEmpty()) {
        throw wrong(row, name, "a system message at the beginning only");
      }
      said.add(new Message(role, String.valueOf(message.get("content"))));
    }
    if (said.isEmpty() || !said.getFirst().role().equals(SYSTEM)) {
      said.addAll(0, told(row));
    }
    if (WHOLE.contains(name) && !said.isEmpty() && said.getLast().role().equals("assistant")) {
      said.removeLast();
    }
    if (said.isEmpty() || !said.getLast().role().equals("user")) {
      throw wrong(row, name, "chat messages that end with one of the user");
    }
    String asked = said.removeLast().content();
    return with(images, List.copyOf(said), asked);
  }

  private static UserException wrong(Row row, String name, String allowed) {
    return new UserException(row.where() + ": " + name + ": expected " + allowed);
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
