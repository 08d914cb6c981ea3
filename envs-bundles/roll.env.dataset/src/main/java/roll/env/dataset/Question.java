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
 * A row of a data set as a question.
 *
 * @param row the row
 * @param before the messages before the last user message, beginning with the system message if
 *     there is one
 * @param asked text of the last user message, with placeholders of its pictures
 * @param images the pictures
 */
record Question(Row row, List<Message> before, String asked, QuestionImages images) {
  /** Fields that may hold the question, in order of preference. */
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

  /** Fields of whole conversations; the assistant's last turn is not part of the prompt. */
  private static final List<String> WHOLE = List.of("messages", "conversations", "conversation");

  private static final String SOURCE = "data_source";
  private static final String SYSTEM = "system";

  /** Returns the text of the user message. */
  String text() {
    return images.text(asked);
  }

  /**
   * Returns the user message with its pictures, and the messages before it.
   *
   * @throws UserException if a picture cannot be read
   */
  Observation observation() {
    return images.observation(asked).behind(before);
  }

  /**
   * Returns the question in the data set's {@code row}.
   *
   * @param key name of its field, or null for the first of {@link #KEYS} in the row
   * @param pictures the field with its pictures
   * @throws UserException if it is missing, or neither a text nor chat messages
   */
  static Question of(Row row, @Nullable String key, ImageField pictures) {
    String name = key == null ? first(row) : key;
    QuestionImages images = QuestionImages.of(row, pictures);
    Object value = onlyTurn(row, name, row.fields().get(name));
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
      case String text ->
          with(images, told(row), text + input(row, name) + QuestionChoices.text(row, text));
      case List<?> messages -> chat(row, name, messages, images);
      default -> throw wrong(row, name, "a text or a list of chat messages");
    };
  }

  private static Question with(QuestionImages images, List<Message> before, String asked) {
    Question question = new Question(images.row(), before, asked, images);
    var unused = question.text(); // checks the number of placeholders
    return question;
  }

  /** Returns the text in the field {@code system} as a system message, with the functions. */
  private static List<Message> told(Row row) {
    String system = row.fields().get(SYSTEM) instanceof String text && !text.isBlank() ? text : "";
    if (QuestionFunctions.are(row)) {
      return List.of(QuestionFunctions.message(row, system));
    }
    return system.isEmpty() ? List.of() : List.of(new Message(SYSTEM, system));
  }

  /** Returns the messages of the only turn of a row that has a list of turns. */
  private static @Nullable Object onlyTurn(Row row, String name, @Nullable Object value) {
    if (!(value instanceof List<?> turns)
        || turns.isEmpty()
        || !(turns.getFirst() instanceof List<?> turn)) {
      return value;
    }
    if (turns.size() > 1) {
      throw wrong(row, name, "one turn, found " + turns.size());
    }
    return turn;
  }

  /** Returns the input of Alpaca's rows. */
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

  /** Returns the question of a conversation that ends with a user message. */
  private static Question chat(Row row, String name, Object value, QuestionImages images) {
    String where = row.where() + ": " + name;
    List<Message> said = new ArrayList<>();
    for (Map<String, @Nullable Object> message :
        RowMessages.of(where, value, QuestionImages.PLACE)) {
      String role = String.valueOf(message.get("role"));
      if (message.containsKey("tool_calls") || role.equals("tool")) {
        throw new UserException(where + ": tool calls are not supported in a prompt");
      }
      if (role.equals(SYSTEM) && !said.isEmpty()) {
        throw wrong(row, name, "a system message at the beginning only");
      }
      said.add(new Message(role, String.valueOf(message.get("content"))));
    }
    if (said.isEmpty() || !said.getFirst().role().equals(SYSTEM)) {
      said.addAll(0, told(row));
    } else if (QuestionFunctions.are(row)) {
      said.set(0, QuestionFunctions.message(row, said.getFirst().content()));
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

  /** Returns the row's answer if it is a text. */
  Optional<String> answer() {
    return row.fields().get("answer") instanceof String answer
        ? Optional.of(answer)
        : Optional.empty();
  }

  /** Returns all fields of the row except the bytes of pictures, and the data source. */
  Map<String, Object> facts() {
    Map<String, Object> facts = images.fields();
    String file = String.valueOf(row.file().getFileName());
    int end = file.lastIndexOf('.');
    facts.putIfAbsent(SOURCE, end > 0 ? file.substring(0, end) : file);
    return facts;
  }
}
