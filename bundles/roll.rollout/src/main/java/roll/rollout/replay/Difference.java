package roll.rollout.replay;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;

/** Whether an episode that was played again is the recorded one. */
final class Difference {
  /** What ends an episode that neither its world nor its agent ended. */
  private static final Set<String> CUT =
      Set.of("max_steps", "max_turns", "max_length", "max_model_len");

  private static final Set<String> ENDED =
      Set.of("terminated", "truncated", "no_tool_calls", Trajectory.TERMINAL);

  private Difference() {}

  /**
   * The first thing that differs, a phrase that counts turns from 1; null where nothing does.
   *
   * @param rewarded whether rewards were added to the last turn's, which are not asked again
   */
  static @Nullable String of(RecordedEpisode recorded, Trajectory played, boolean rewarded) {
    int turns = recorded.turns().size();
    int common = Math.min(turns, played.rewards().length);
    for (int i = 0; i < common; i++) {
      RecordedEpisode.Turn turn = recorded.turns().get(i);
      if (turn.state() != played.states()[i]) {
        return "turn " + (i + 1) + " sees something else than was recorded";
      }
      boolean comparable = !rewarded || i < turns - 1;
      if (comparable && turn.reward() != played.rewards()[i]) {
        return "turn %d earns %s, not %s as recorded"
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
      return "it goes on after the last turn, where it was " + recorded;
    }
    boolean same = CUT.contains(recorded) ? CUT.contains(played) : recorded.equals(played);
    return same ? null : "it ends as " + played + ", not as " + recorded;
  }
}
