package roll.reward.math;

import java.util.List;
import java.util.Locale;
import roll.api.data.Message;
import roll.api.data.Trajectory;

/** What a conversation must look like to earn anything. */
enum Form {
  /** Anything; a wrong answer earns nothing. */
  ANY,
  /** A tool was used. */
  TOOL,
  /** A tool was used, and everything the policy wrote begins with {@code thought}, in any case. */
  THOUGHT,
  /** A tool was used, and everything the policy wrote has a {@code <think>} in it. */
  THINK;

  /** Whether {@code episode} looks like this. */
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

  /** What a wrong answer in this form earns. */
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
