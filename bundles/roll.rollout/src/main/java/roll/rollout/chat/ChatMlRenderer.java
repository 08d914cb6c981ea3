package roll.rollout.chat;

import java.util.List;
import roll.api.data.Message;
import roll.api.option.UserException;

/**
 * Renders ChatML as Qwen2.5 does: {@code <|im_start|>role\ncontent<|im_end|>\n} for each message,
 * and tool results in a user turn. Unlike there, no default system message is added.
 *
 * @param imagePlaceholder text in place of a picture
 */
record ChatMlRenderer(String imagePlaceholder) implements ChatRenderer {
  /** Token text that begins a turn; must be one token. */
  static final String START = "<|im_start|>";

  /** Token text that ends a turn; must be one token. */
  static final String END = "<|im_end|>";

  @Override
  public String opening(List<Message> messages) {
    return whole(messages) + START + "assistant\n";
  }

  @Override
  public String whole(List<Message> messages) {
    StringBuilder text = new StringBuilder();
    String last = "";
    for (int i = 0; i < messages.size(); i++) {
      Message message = messages.get(i);
      boolean tool = message.role().equals("tool");
      if (!tool || !last.equals("tool")) {
        text.append(START).append(tool ? "user" : message.role()).append('\n');
      } else {
        text.append('\n');
      }
      String content = content(message);
      text.append(tool ? "<tool_response>\n" + content + "\n</tool_response>" : content);
      last = message.role();
      if (!tool || i + 1 == messages.size() || !messages.get(i + 1).role().equals("tool")) {
        text.append(END).append('\n');
      }
    }
    return text.toString();
  }

  private String content(Message message) {
    StringBuilder content = new StringBuilder();
    for (Message.Part part : message.parts()) {
      content.append(part instanceof Message.Part.Text(String text) ? text : imagePlaceholder);
    }
    return content.toString();
  }

  @Override
  public String opening(List<Message> messages, List<?> tools) {
    if (!tools.isEmpty()) {
      throw new UserException(
          "this chat format supports no tools (data_args.template: native does, if the model"
              + " folder's template does)");
    }
    return opening(messages);
  }

  @Override
  public String following(List<Message> messages) {
    return END + "\n" + opening(messages);
  }
}
