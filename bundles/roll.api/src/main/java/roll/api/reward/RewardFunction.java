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
  /** One sentence about the behavior that the reward scores, and the range of scores. */
  String description();

  /** Options beside {@code weight} in {@code custom_envs.<tag>.rewards.<id>}; none by default. */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * Returns the term with these options, already checked against {@link #options()}.
   *
   * @throws roll.api.option.UserException if a value is out of range
   */
  Reward configure(Options options);

  /** The plugins a term with these options uses, such as its grader; none by default. */
  default List<PluginReference<?>> uses(Options options) {
    return List.of();
  }

  /**
   * The reference answer a term with these options needs, so that a data set without it is refused
   * before the run; null, the default, if it needs none.
   */
  default @Nullable AnswerKey answerKey(Options options) {
    return null;
  }

  /**
   * Whether a term with these options depends on earlier messages, such as tool results, and not
   * only on the last message; false by default. If true, a response alone cannot be graded.
   */
  default boolean readsConversation(Options options) {
    return false;
  }

  /** The options that name a generative model of {@code reward_models}; none by default. */
  default List<Option<String>> models(Options options) {
    return List.of();
  }

  /** The options that name a model of {@code reward_models} with a value head; none by default. */
  default List<Option<String>> scorers(Options options) {
    return List.of();
  }
}
