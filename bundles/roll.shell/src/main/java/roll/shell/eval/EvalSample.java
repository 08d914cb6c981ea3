package roll.shell.eval;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.env.Step;

/**
 * A response to a task and its grade.
 *
 * @param task name of the task, equal for all of its samples
 * @param tag of the environment
 * @param seed of the task
 * @param facts of the task, such as the row of a data set
 * @param measure measure of success, see {@link #of}
 * @param success whether the task is solved
 * @param answer the extracted answer, or null
 * @param score sum of the rewards
 * @param tokens number of response tokens
 * @param truncated whether a token limit ended the response
 */
record EvalSample(
    String task,
    String tag,
    long seed,
    Map<String, Object> facts,
    String measure,
    boolean success,
    @Nullable String answer,
    double score,
    int tokens,
    boolean truncated) {
  private static final String FULL = "max_length";
  private static final String ACCURACY = "(reward/.+/)?acc";
  private static final String SCORE = "score";

  /**
   * Returns the sample in {@code episode}. A task is solved if the environment's metric {@code
   * success} is at least 1; without it, the {@code acc} of the first reward that has one; otherwise
   * the score.
   */
  static EvalSample of(Trajectory episode) {
    Map<String, Double> metrics = episode.metrics();
    Optional<String> accuracy =
        metrics.keySet().stream().filter(name -> name.matches(ACCURACY)).findFirst();
    String measure = metrics.containsKey(Step.SUCCESS) ? Step.SUCCESS : accuracy.orElse(SCORE);
    return new EvalSample(
        episode.tag() + "_" + episode.key().group() + "_" + episode.key().episode(),
        episode.tag(),
        episode.key().seed(),
        episode.facts(),
        measure,
        metrics.getOrDefault(measure, episode.score()) >= 1,
        episode.answer(),
        episode.score(),
        episode.written(),
        episode.endsCut() || episode.finish().equals(FULL));
  }
}
