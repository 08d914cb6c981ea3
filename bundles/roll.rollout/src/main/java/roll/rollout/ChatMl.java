package roll.rollout;

import java.util.List;
import roll.api.data.Message;

/**
 * ChatML as Qwen2.5 reads it: {@code <|im_start|>role\ncontent<|im_end|>\n} for each message. No
 * system message is made up where none is given.
 */
final class ChatMl implements Turns {
  /** Begins a turn; must be one token. */
  static final String START = "<|im_start|>";

  /** Ends a turn; must be one token. */
  static final String END = "<|im_end|>";

  @Override
  public String opening(List<Message> messages) {
    StringBuilder text = new StringBuilder();
    for (Message message : messages) {
      text.append(START).append(message.role()).append('\n');
      text.append(message.content()).append(END).append('\n');
    }
    return text.append(START).append("assistant\n").toString();
  }

  @Override
  public String following(List<Message> messages) {
    return END + "\n" + opening(messages);
  }
}
