package roll.shell.trajectory;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A line of a file of trajectories, as far as people want to see it; all but the id may be missing.
 *
 * @param id name of the trajectory
 * @param score sum of its rewards
 * @param finish why it ended
 * @param rewards by turn
 * @param messages the conversation
 * @param metrics of the episode
 * @param sequences tokens
 * @param cut turns whose response ended at the limit of its tokens
 */
record TrajectoryLine(
    @Nullable String id,
    @Nullable Double score,
    @Nullable String finish,
    double @Nullable [] rewards,
    @Nullable List<Said> messages,
    @Nullable Map<String, Double> metrics,
    @Nullable List<Tokens> sequences,
    @Nullable List<@Nullable Integer> cut) {
  /**
   * This line.
   *
   * @throws IllegalArgumentException if one of its lists or metrics holds null
   */
  TrajectoryLine complete() {
    boolean complete =
        (messages == null || messages.stream().allMatch(Objects::nonNull))
            && (sequences == null || sequences.stream().allMatch(Objects::nonNull))
            && (metrics == null || metrics.values().stream().allMatch(Objects::nonNull));
    if (!complete) {
      throw new IllegalArgumentException("null in messages, sequences or metrics");
    }
    return this;
  }

  /**
   * A message.
   *
   * @param pictures that it shows
   */
  record Said(
      @Nullable String role, @Nullable String content, @Nullable List<@Nullable Shown> pictures) {}

  /**
   * A picture.
   *
   * @param file beside the file of this line
   */
  record Shown(@Nullable String file) {}

  /**
   * A sequence.
   *
   * @param texts of each token; older files have none
   * @param turns of each token, −1 where the policy did not write it
   * @param advantages of each token, as trained on; only of steps that were trained on, as the
   *     following
   * @param old_log_probs the trainer's before the update
   * @param mask 0 where a token is not trained on
   */
  record Tokens(
      @Nullable List<String> texts,
      int @Nullable [] turns,
      double @Nullable [] log_probs,
      double @Nullable [] advantages,
      double @Nullable [] old_log_probs,
      int @Nullable [] mask) {}
}
