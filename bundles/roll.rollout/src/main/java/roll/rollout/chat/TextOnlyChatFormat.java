package roll.rollout.chat;

import java.util.List;
import java.util.Map;
import roll.api.data.Message;
import roll.api.rollout.ChatFormat;
import roll.api.tool.ToolSchema;

/**
 * The chat format of a model without vision when an agent that sees pictures plays: only the text
 * is tokenized.
 *
 * @param format chat format of the model
 */
public record TextOnlyChatFormat(ChatFormat format) implements ChatFormat {
  /** Returns {@code format} if its model has vision, otherwise a format that drops pictures. */
  public static ChatFormat unlessVision(ChatFormat format) {
    return format.imageToken() >= 0 ? format : new TextOnlyChatFormat(format);
  }

  private static List<Message> texts(List<Message> messages) {
    return messages.stream()
        .map(message -> new Message(message.role(), message.content(), message.tool()))
        .toList();
  }

  @Override
  public int[] opening(List<Message> messages) {
    return format.opening(texts(messages));
  }

  @Override
  public int[] opening(List<Message> messages, List<ToolSchema> tools) {
    return format.opening(texts(messages), tools);
  }

  @Override
  public int[] openingAsSent(List<Message> messages, List<?> tools) {
    return format.openingAsSent(texts(messages), tools);
  }

  @Override
  public int[] whole(List<Message> messages) {
    return format.whole(texts(messages));
  }

  @Override
  public int[] between(int[] response, List<Message> messages) {
    return format.between(response, texts(messages));
  }

  @Override
  public ChatFormat with(Map<String, ?> variables) {
    return variables.isEmpty() ? this : new TextOnlyChatFormat(format.with(variables));
  }

  @Override
  public List<Integer> stops() {
    return format.stops();
  }
}
