package roll.api.rollout;

import java.util.List;
import roll.api.data.Message;
import roll.api.image.Picture;

/**
 * A prompt as tokens and as messages.
 *
 * @param tokens all tokens of the prompt
 * @param messages the corresponding messages, the newest last
 * @param pictures the pictures in the order of their image tokens: those of the messages whose
 *     tokens were not truncated
 */
public record Prompt(int[] tokens, List<Message> messages, List<Picture> pictures) {
  /** A prompt with all pictures of the messages. */
  public Prompt(int[] tokens, List<Message> messages) {
    this(tokens, messages, Message.pictures(messages));
  }
}
