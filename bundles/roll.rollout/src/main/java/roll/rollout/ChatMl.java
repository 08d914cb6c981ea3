package roll.rollout;

import java.util.List;
import roll.api.data.Message;
import roll.api.rollout.ChatFormat;

/**
 * ChatML as Qwen2.5 reads it: {@code <|im_start|>role\ncontent<|im_end|>\n} for each message. No
 * system message is made up where none is given.
 */
final class ChatMl implements ChatFormat {
  private static final String START = "<|im_start|>";
  private static final String END = "<|im_end|>";

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
  public String between(boolean stopped, List<Message> messages) {
    return (stopped ? "" : END) + "\n" + opening(messages);
  }

  @Override
  public List<String> stops() {
    return List.of(END);
  }

  /** Texts that must be one token each for a model to follow this format. */
  List<String> specials() {
    return List.of(START, END);
  }
}
