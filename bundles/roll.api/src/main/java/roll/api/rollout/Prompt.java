package roll.api.rollout;

import java.util.List;
import roll.api.data.Message;
import roll.api.image.Picture;

/**
 * What a policy answers: the same as tokens and as text.
 *
 * @param tokens every token the model sees
 * @param messages the messages these tokens stand for, the newest last
 * @param pictures what the model sees, in the order of their places among the tokens: those of the
 *     messages, as far as the tokens were not cut
 */
public record Prompt(int[] tokens, List<Message> messages, List<Picture> pictures) {
  /** A prompt with all pictures of the messages. */
  public Prompt(int[] tokens, List<Message> messages) {
    this(tokens, messages, Message.pictures(messages));
  }
}
