package roll.shell;

import java.util.List;
import java.util.Map;
import roll.api.config.WorkerConfig;
import roll.api.data.Message;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.rollout.ChatFormat;

/**
 * The chat format {@code brackets} of {@link Characters}: {@code [role:content]} a message, then
 * the variables if they are not the usual ones; between a response and the next a bar comes first.
 */
public record Brackets(Map<String, ?> variables) implements ChatFormat {
  public static ChatFormat find(String name, Tokenizer tokenizer, Map<String, ?> variables) {
    if (!name.equals("brackets")) {
      throw new UserException("'" + name + "' is no chat format");
    }
    return new Brackets(variables);
  }

  @Override
  public int[] opening(List<Message> messages, List<roll.api.tool.ToolSchema> tools) {
    return opening(messages);
  }

  @Override
  public int[] opening(List<Message> messages) {
    StringBuilder text = new StringBuilder();
    messages.forEach(m -> text.append("[%s:%s]".formatted(m.role(), m.content())));
    return text.append(variables.equals(WorkerConfig.CHAT_TEMPLATE_KWARGS) ? "" : variables)
        .chars()
        .toArray();
  }

  @Override
  public int[] whole(List<Message> messages) {
    return opening(messages);
  }

  @Override
  public int[] between(int[] response, List<Message> messages) {
    return ("|" + new String(opening(messages), 0, opening(messages).length)).chars().toArray();
  }

  @Override
  public List<Integer> stops() {
    return List.of(Characters.END, 0);
  }
}
