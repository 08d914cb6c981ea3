package roll.core.sft;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.model.ChatTemplate;
import roll.api.option.UserException;

/** The chat template ChatML, for models without a chat template of their own. */
final class ChatMlTemplate implements ChatTemplate {
  private static final List<String> NAMES = List.of("qwen2_5", "chatml");

  /** Returns the chat template that the value {@code name} of {@code data_args.template} means. */
  static ChatTemplate of(String name) {
    if (!NAMES.contains(name)) {
      throw new UserException(
          "actor_train.data_args.template: expected native, qwen2_5 or chatml, found '"
              + name
              + "'");
    }
    return new ChatMlTemplate();
  }

  @Override
  public String render(String where, Map<String, ? extends @Nullable Object> context) {
    StringBuilder text = new StringBuilder();
    boolean results = false;
    for (Object message : (List<?>) Objects.requireNonNull(context.get("messages"))) {
      Map<?, ?> fields = (Map<?, ?>) message;
      if (context.get("tools") != null || fields.containsKey("tool_calls")) {
        throw new UserException(
            where + ": ChatML has no tools; set actor_train.data_args.template to native");
      }
      boolean result = "tool".equals(fields.get("role"));
      if (results && !result) {
        text.append("<|im_end|>\n");
      }
      if (!result) {
        text.append("<|im_start|>").append(fields.get("role")).append('\n');
        text.append(fields.get("content")).append("<|im_end|>\n");
      } else {
        text.append(results ? "\n" : "<|im_start|>user\n");
        text.append("<tool_response>\n").append(fields.get("content"));
        text.append("\n</tool_response>");
      }
      results = result;
    }
    if (results) {
      text.append("<|im_end|>\n");
    }
    return Boolean.TRUE.equals(context.get("add_generation_prompt"))
        ? text.append("<|im_start|>assistant\n").toString()
        : text.toString();
  }
}
