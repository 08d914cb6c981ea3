package roll.shell.trajectory;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The displayed fields of a trajectory; all but the id may be missing.
 *
 * @param id of the trajectory
 * @param score sum of the rewards
 * @param finish reason of the end
 * @param rewards by turn
 * @param messages the conversation
 * @param metrics of the episode
 * @param sequences tokens
 * @param cut turns whose response was truncated at the token limit
 */
record TrajectoryLine(
    @Nullable String id,
    @Nullable Double score,
    @Nullable String finish,
    double @Nullable [] rewards,
    @Nullable List<LoggedMessage> messages,
    @Nullable Map<String, Double> metrics,
    @Nullable List<Tokens> sequences,
    @Nullable List<@Nullable Integer> cut) {
  /**
   * Returns this line after checking it.
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
   * A message in a line of a trajectory file.
   *
   * @param pictures in the message
   */
  record LoggedMessage(
      @Nullable String role,
      @Nullable String content,
      @Nullable List<@Nullable LoggedPicture> pictures) {}

  /**
   * A picture in a line of a trajectory file.
   *
   * @param file path relative to the folder of the trajectory file
   */
  record LoggedPicture(@Nullable String file) {}

  /**
   * A token sequence in a line of a trajectory file.
   *
   * @param texts text of each token; missing in older files
   * @param turns turn of each token, −1 for context tokens
   * @param advantages of each token as used in training; this and the following exist only for
   *     steps that were trained on
   * @param old_log_probs the trainer's log-probs before the update
   * @param mask 0 for tokens that are not trained on
   */
  record Tokens(
      @Nullable List<String> texts,
      int @Nullable [] turns,
      double @Nullable [] log_probs,
      double @Nullable [] advantages,
      double @Nullable [] old_log_probs,
      int @Nullable [] mask) {}
}
