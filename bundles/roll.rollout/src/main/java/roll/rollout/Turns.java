package roll.rollout;

import java.util.List;
import roll.api.data.Message;

/** A chat format as text. */
interface Turns {
  /** The text from the start of the conversation to where the first response begins. */
  String opening(List<Message> messages);

  /** The text from the end of a response's words to where the next response begins. */
  String following(List<Message> messages);
}
