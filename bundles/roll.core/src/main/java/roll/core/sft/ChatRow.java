package roll.core.sft;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.Row;
import roll.api.option.UserException;
import roll.runtime.config.ContextFields;
import roll.runtime.config.SftConfig;
import roll.text.chat.RowMessages;

/**
 * A row as a conversation: of chat messages, or of a prompt and a response.
 *
 * @param messages of the conversation
 * @param first of them that is learned
 */
record ChatRow(List<Map<String, @Nullable Object>> messages, int first) {
  /** Usual fields of conversations; the first that exists is used. */
  private static final List<String> MESSAGES = List.of("messages", "conversations", "conversation");

  /** Usual names of the field with the prompt. */
  static final List<String> PROMPTS =
      List.of("prompt", "instruction", "question", "problem", "query");

  /** Usual names of the field with the response. */
  private static final List<String> RESPONSES =
      List.of("response", "completion", "output", "answer", "solution");

  /**
   * The conversation of {@code row}, in the fields that {@code sft} names or in those with the
   * usual names.
   *
   * @throws UserException if it has none
   */
  static ChatRow of(Row row, SftConfig sft) {
    String field = present(row, sft.messagesKey(), MESSAGES);
    if (field != null) {
      List<Map<String, @Nullable Object>> messages = messages(row, field);
      return new ChatRow(behindSystem(row, messages, sft.context()), 0);
    }
    String prompt = present(row, sft.promptKey(), PROMPTS);
    String response = present(row, sft.responseKey(), RESPONSES);
    if (prompt == null || response == null) {
      throw new UserException(
          "%s: no demonstration: neither a list '%s' nor '%s' with a text '%s' (sft.messages_key, prompt_key, response_key; it has: %s)"
              .formatted(
                  row.where(),
                  sft.messagesKey(),
                  sft.promptKey(),
                  sft.responseKey(),
                  String.join(", ", row.fields().keySet())));
    }
    List<Map<String, @Nullable Object>> said = prompt(row, prompt, sft.context());
    int first = said.size();
    said.addAll(side(row, response, "assistant"));
    return new ChatRow(said, first);
  }

  /** The field {@code named}; where that is the first of the usual ones, the first there is. */
  static @Nullable String present(Row row, String named, List<String> usual) {
    List<String> names = usual.getFirst().equals(named) ? usual : List.of(named);
    return names.stream().filter(row.fields()::containsKey).findFirst().orElse(null);
  }

  private static List<Map<String, @Nullable Object>> messages(Row row, String field) {
    Object value = row.fields().get(field);
    return RowMessages.of(row.where() + ": " + field, value == null ? List.of() : value, null);
  }

  /** The messages before the response: system message, earlier turns, and those of the prompt. */
  static List<Map<String, @Nullable Object>> prompt(Row row, String field, ContextFields context) {
    List<Map<String, @Nullable Object>> said = new ArrayList<>(earlier(row, context));
    String query = context.queryBehind(field);
    if (row.fields().get(field) instanceof String text
        && row.fields().get(query) instanceof String more
        && !more.isEmpty()) {
      said.add(message("user", text + "\n" + more));
    } else {
      said.addAll(side(row, field, "user"));
    }
    return behindSystem(row, said, context);
  }

  /** The messages of one side: chat messages, or a text. */
  static List<Map<String, @Nullable Object>> side(Row row, String field, String role) {
    Object value = row.fields().get(field);
    if (RowMessages.is(value)) {
      return messages(row, field);
    }
    if (!(value instanceof String text)) {
      throw new UserException(
          "%s: %s: expected a text or a list of chat messages".formatted(row.where(), field));
    }
    return List.of(message(role, text));
  }

  /** Returns earlier turns: pairs of prompts and responses. */
  private static List<Map<String, @Nullable Object>> earlier(Row row, ContextFields context) {
    List<Map<String, @Nullable Object>> said = new ArrayList<>();
    Object pairs = row.fields().get(context.history());
    for (Object pair : pairs instanceof List<?> all ? all : List.of()) {
      if (!(pair instanceof List<?> both) || both.size() != 2) {
        throw new UserException(
            "%s: %s: expected pairs of a prompt and a response"
                .formatted(row.where(), context.history()));
      }
      said.add(message("user", String.valueOf(both.get(0))));
      said.add(message("assistant", String.valueOf(both.get(1))));
    }
    return said;
  }

  /** The messages behind the text in the field of the system message, unless they have one. */
  static List<Map<String, @Nullable Object>> behindSystem(
      Row row, List<Map<String, @Nullable Object>> messages, ContextFields context) {
    List<Map<String, @Nullable Object>> all = new ArrayList<>(messages);
    boolean told = !messages.isEmpty() && "system".equals(messages.getFirst().get("role"));
    if (!told && row.fields().get(context.system()) instanceof String system && !system.isBlank()) {
      all.addFirst(message("system", system));
    }
    return all;
  }

  private static Map<String, @Nullable Object> message(String role, String content) {
    Map<String, @Nullable Object> message = new HashMap<>();
    message.put("role", role);
    message.put("content", content);
    return message;
  }
}
