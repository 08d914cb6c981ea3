package roll.api.rollout;

import java.util.List;
import roll.api.data.Message;
import roll.api.image.Picture;

/**
 * What a policy answers: the same as tokens and as text.
 *
 * @param tokens every token the model sees
 * @param messages the messages these tokens stand for, the newest last
 */
public record Prompt(int[] tokens, List<Message> messages) {
  /** What the model sees, in the order of their places among the tokens. */
  public List<Picture> pictures() {
    return Message.pictures(messages);
  }
}
