package roll.rollout.replay;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;

/** Compares a replayed episode with the recorded one. */
final class ReplayMismatch {
  /** Finish reasons by limits, as opposed to those of environment or agent. */
  private static final Set<String> CUT =
      Set.of("max_steps", "max_turns", "max_length", "max_model_len");

  private static final Set<String> ENDED =
      Set.of("terminated", "truncated", "no_tool_calls", Trajectory.TERMINAL);

  private ReplayMismatch() {}

  /**
   * Returns the first difference, in words that count turns from 1; null if there is none.
   *
   * @param rewarded whether the last turn's reward includes reward functions, which are not called
   *     again
   */
  static @Nullable String of(RecordedEpisode recorded, Trajectory played, boolean rewarded) {
    int turns = recorded.turns().size();
    int common = Math.min(turns, played.rewards().length);
    for (int i = 0; i < common; i++) {
      RecordedEpisode.Turn turn = recorded.turns().get(i);
      if (turn.state() != played.states()[i]) {
        return "turn " + (i + 1) + " has another observation than was recorded";
      }
      boolean comparable = !rewarded || i < turns - 1;
      if (comparable && turn.reward() != played.rewards()[i]) {
        return "turn %d has the reward %s, not %s as recorded"
            .formatted(i + 1, played.rewards()[i], turn.reward());
      }
    }
    if (common < turns) {
      return "it ends after turn %d of %d".formatted(common, turns);
    }
    return finish(recorded.finish(), played.finish());
  }

  private static @Nullable String finish(String recorded, String played) {
    if (ENDED.contains(recorded) && CUT.contains(played)) {
      return "it continues after the last turn, where it was " + recorded;
    }
    boolean same = CUT.contains(recorded) ? CUT.contains(played) : recorded.equals(played);
    return same ? null : "it ends as " + played + ", not as " + recorded;
  }
}
