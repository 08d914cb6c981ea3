package roll.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * A last message that the model shall continue. A mark behind its text shows, once all is rendered,
 * where the text is to end.
 *
 * @param messages the conversation with the mark in it
 * @param text of the last message, without the mark
 */
record FinalMessage(List<@Nullable Object> messages, String text) {
  /** Marker text; its blank shows whether the template strips messages. */
  private static final String MARK = "CONTINUE_FINAL_MESSAGE_TAG ";

  /**
   * Marks the end of {@code field} in the last of {@code messages}.
   *
   * @param where begins a complaint
   * @throws UserException if it has no text to continue
   */
  static FinalMessage of(String where, List<?> messages, String field) {
    Map<Object, @Nullable Object> last = copy(messages.getLast());
    String text;
    switch (last.get(field)) {
      case String content -> {
        text = content;
        last.put(field, content + MARK);
      }
      case List<?> blocks -> {
        List<@Nullable Object> marked = new ArrayList<>(blocks);
        int at = marked.size() - 1;
        while (at >= 0 && !(copy(marked.get(at)).get("text") instanceof String)) {
          at--;
        }
        if (at < 0) {
          throw new UserException(where + "the last message has no text to continue");
        }
        Map<Object, @Nullable Object> block = copy(marked.get(at));
        text = String.valueOf(block.get("text"));
        block.put("text", text + MARK);
        marked.set(at, block);
        last.put(field, marked);
      }
      case null, default ->
          throw new UserException(where + "the last message has no '" + field + "' to continue");
    }
    List<@Nullable Object> all = new ArrayList<>(messages);
    all.set(all.size() - 1, last);
    return new FinalMessage(all, text);
  }

  private static Map<Object, @Nullable Object> copy(@Nullable Object message) {
    Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
    if (message instanceof Map<?, ?> map) {
      copy.putAll(map);
    }
    return copy;
  }

  /**
   * Cuts {@code rendered} at the mark of the last message.
   *
   * @throws UserException if the template left the message out
   */
  String cut(String where, String rendered) {
    int at = rendered.lastIndexOf(MARK.strip());
    if (at < 0 || !rendered.contains(text.strip())) {
      throw new UserException(where + "the template leaves out the end of the last message");
    }
    String before = rendered.substring(0, at);
    return rendered.startsWith(MARK, at) ? before : before.stripTrailing();
  }
}
