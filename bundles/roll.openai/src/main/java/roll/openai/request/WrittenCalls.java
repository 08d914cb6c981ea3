package roll.openai.request;

import com.google.gson.FormattingStyle;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.model.ChatTemplate;
import roll.api.option.UserException;

/**
 * Calls of earlier turns for templates that show nothing of them: they are written into the text as
 * Hermes' and Qwen's models write them, so that the model sees that it called.
 */
final class WrittenCalls {
  private static final String WHERE = "the request";
  private static final String CALLS = "tool_calls";
  private static final Gson ONE_LINE =
      new GsonBuilder()
          .setFormattingStyle(FormattingStyle.COMPACT.withSpaceAfterSeparators(true))
          .disableHtmlEscaping()
          .serializeNulls()
          .create();

  private WrittenCalls() {}

  /**
   * The text of {@code messages}.
   *
   * @param context all else that {@code template} is given
   * @throws UserException if the template fails or refuses them
   */
  static String render(
      ChatTemplate template,
      List<Map<String, Object>> messages,
      Map<String, ? extends @Nullable Object> context) {
    String text = template.render(WHERE, with(context, messages));
    return messages.stream().anyMatch(message -> message.containsKey(CALLS))
            && text.equals(withoutCalls(template, messages, context))
        ? template.render(WHERE, with(context, changed(messages, true)))
        : text;
  }

  private static Map<String, @Nullable Object> with(
      Map<String, ? extends @Nullable Object> context, List<Map<String, Object>> messages) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>(context);
    all.put("messages", messages);
    return all;
  }

  /** Null from a template that refuses turns without calls before results. */
  private static @Nullable String withoutCalls(
      ChatTemplate template,
      List<Map<String, Object>> messages,
      Map<String, ? extends @Nullable Object> context) {
    try {
      return template.render(WHERE, with(context, changed(messages, false)));
    } catch (UserException e) {
      return null;
    }
  }

  private static List<Map<String, Object>> changed(
      List<Map<String, Object>> messages, boolean written) {
    List<Map<String, Object>> changed = new ArrayList<>();
    for (Map<String, Object> message : messages) {
      Map<String, Object> copy = new LinkedHashMap<>(message);
      if (copy.remove(CALLS) instanceof List<?> calls && written) {
        copy.put("content", written(String.valueOf(message.get("content")), calls));
      }
      changed.add(copy);
    }
    return changed;
  }

  static String written(String content, List<?> calls) {
    List<String> lines = new ArrayList<>();
    if (!content.isEmpty()) {
      lines.add(content);
    }
    for (Object call : calls) {
      Object function = Objects.requireNonNull(((Map<?, ?>) call).get("function"));
      // no end tag inside of a string is taken for that of the call
      String json = ONE_LINE.toJson(function).replace("</", "<\\/");
      lines.add("<tool_call>\n" + json + "\n</tool_call>");
    }
    return String.join("\n", lines);
  }
}
