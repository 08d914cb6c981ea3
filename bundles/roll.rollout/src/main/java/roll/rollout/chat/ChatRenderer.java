package roll.rollout.chat;

import java.util.List;
import roll.api.data.Message;

/** Renders conversations as text. */
interface ChatRenderer {
  /** Returns the text up to the beginning of the first response. */
  String opening(List<Message> messages);

  /**
   * Like {@link #opening(List)}, with a list of tools.
   *
   * @param tools as chat templates take them
   * @throws roll.api.option.UserException if this format supports no tools
   */
  String opening(List<Message> messages, List<?> tools);

  /** Returns the text of a whole conversation, without a generation prompt. */
  String whole(List<Message> messages);

  /** Returns the text between the end of a response and the beginning of the next one. */
  String following(List<Message> messages);
}
