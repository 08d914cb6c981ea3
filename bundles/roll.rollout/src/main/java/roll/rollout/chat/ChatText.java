package roll.rollout.chat;

import java.util.List;
import roll.api.data.Message;

/** A chat format as text. */
interface ChatText {
  /** The text from the start of the conversation to where the first response begins. */
  String opening(List<Message> messages);

  /**
   * The same with tools listed.
   *
   * @param tools as chat templates take them
   * @throws roll.api.option.UserException if this format lists none
   */
  String opening(List<Message> messages, List<?> tools);

  /** The text of a whole conversation, with no response begun behind it. */
  String whole(List<Message> messages);

  /** The text from the end of a response's words to where the next response begins. */
  String following(List<Message> messages);
}
