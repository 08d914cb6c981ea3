package roll.api.reward;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.plugin.PluginReference;

/**
 * A term of the reward, computed from a finished episode. The service itself is stateless; {@link
 * #configure} returns the term with its options. Called from many threads at once.
 */
@ConsumerType
public interface RewardFunction {
  /** One sentence: what it rewards, and in what range. */
  String description();

  /**
   * What stands beside {@code weight} in {@code custom_envs.<tag>.rewards.<id>}; nothing by
   * default.
   */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * The term with these options, already checked against {@link #options()}.
   *
   * @throws roll.api.option.UserException if a value is out of range
   */
  Reward configure(Options options);

  /** The plugins that a term with these options uses, such as its grader; none by default. */
  default List<PluginReference<?>> uses(Options options) {
    return List.of();
  }

  /**
   * Where a term with these options finds the answer that it grades by, so that a data set without
   * it is refused before anything is played; null by default: it needs none.
   */
  default @Nullable AnswerKey answerKey(Options options) {
    return null;
  }

  /**
   * Whether a term with these options depends on the course of the episode, such as tool results,
   * and not only on the last message; false by default. If true, a response alone cannot be graded.
   */
  default boolean readsConversation(Options options) {
    return false;
  }

  /**
   * Those of {@code options} that name a model of {@code reward_models} that writes; none by
   * default.
   */
  default List<Option<String>> models(Options options) {
    return List.of();
  }

  /**
   * Those of {@code options} that name a model of {@code reward_models} that scores by a head; none
   * by default.
   */
  default List<Option<String>> scorers(Options options) {
    return List.of();
  }
}
