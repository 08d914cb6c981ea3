package roll.openai.request;

import com.google.gson.FormattingStyle;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import roll.api.model.ChatTemplate;
import roll.api.option.UserException;

/**
 * Renders calls of earlier turns for chat templates that ignore {@code tool_calls}: as text in the
 * format of Hermes and Qwen models, so that the model sees its calls.
 */
final class ToolCallRenderer {
  private static final String WHERE = "the request";
  private static final String CALLS = "tool_calls";
  private static final Gson ONE_LINE =
      new GsonBuilder()
          .setFormattingStyle(FormattingStyle.COMPACT.withSpaceAfterSeparators(true))
          .disableHtmlEscaping()
          .serializeNulls()
          .create();

  /** Whether requests have tools for which the template has shown calls. */
  private final Set<Boolean> shows = ConcurrentHashMap.newKeySet();

  /**
   * Renders {@code messages} with their tool calls as text.
   *
   * @param context the other variables of {@code template}
   * @throws UserException if the template fails or refuses the messages
   */
  String render(
      ChatTemplate template,
      List<Map<String, Object>> messages,
      Map<String, ? extends @Nullable Object> context) {
    String text = template.render(WHERE, with(context, messages));
    boolean tools = context.get("tools") != null;
    if (shows.contains(tools)
        || messages.stream().noneMatch(message -> message.containsKey(CALLS))) {
      return text;
    }
    if (text.equals(withoutCalls(template, messages, context))) {
      return template.render(WHERE, with(context, changed(messages, true)));
    }
    shows.add(tools); // and is rendered once from now on
    return text;
  }

  private static Map<String, @Nullable Object> with(
      Map<String, ? extends @Nullable Object> context, List<Map<String, Object>> messages) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>(context);
    all.put("messages", messages);
    return all;
  }

  /**
   * Renders the messages without calls; null if the template refuses results without calls before
   * them.
   */
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
      // escapes an end tag inside a string
      String json = ONE_LINE.toJson(function).replace("</", "<\\/");
      lines.add("<tool_call>\n" + json + "\n</tool_call>");
    }
    return String.join("\n", lines);
  }
}
