package roll.reward.math;

import java.util.List;
import java.util.Locale;
import roll.api.data.Message;
import roll.api.data.Trajectory;

/** The form that a conversation must have for a score. */
enum ConversationForm {
  /** Any form; a wrong answer scores 0. */
  ANY,
  /** Required form: a tool was used. */
  TOOL,
  /**
   * A tool was used, and each of the policy's messages begins with {@code thought}, in any case.
   */
  THOUGHT,
  /** A tool was used, and each of the policy's messages contains {@code <think>}. */
  THINK;

  /** Returns whether the messages of {@code episode} have this form. */
  boolean fits(Trajectory episode) {
    return switch (this) {
      case ANY -> true;
      case TOOL -> tool(episode);
      case THOUGHT ->
          tool(episode)
              && written(episode).stream()
                  .allMatch(text -> text.strip().toLowerCase(Locale.ROOT).startsWith("thought"));
      case THINK ->
          tool(episode) && written(episode).stream().allMatch(text -> text.contains("<think>"));
    };
  }

  /** Returns the score of a wrong answer in this form. */
  double wrong() {
    return this == ANY ? 0 : 0.1;
  }

  private static boolean tool(Trajectory episode) {
    return episode.messages().stream().anyMatch(message -> message.role().equals("tool"));
  }

  private static List<String> written(Trajectory episode) {
    return episode.messages().stream()
        .filter(message -> message.role().equals("assistant"))
        .map(Message::content)
        .toList();
  }
}
