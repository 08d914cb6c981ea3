package roll.api.rollout;

import java.util.List;
import roll.api.data.Message;

/**
 * How messages become text for the model, piece by piece, so that nothing is tokenised twice: the
 * opening, then after each response what follows it up to where the next response begins.
 */
public interface ChatFormat {
  /** The text from the start of the conversation to where the first response begins. */
  String opening(List<Message> messages);

  /**
   * The text between a response and the next.
   *
   * @param stopped whether the response ended with the format's own stop token
   * @param messages what is said in between
   */
  String between(boolean stopped, List<Message> messages);

  /** Texts of the tokens that end a response. */
  List<String> stops();
}
