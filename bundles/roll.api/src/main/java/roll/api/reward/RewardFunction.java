package roll.api.reward;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.plugin.Use;

/**
 * A term of the reward that is read off a finished episode. The service itself is stateless; {@link
 * #configure} gives the term with its options. Called from many threads at once.
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

  /** The plugins that a term with these options works with, as its grader; by standard none. */
  default List<Use<?>> uses(Options options) {
    return List.of();
  }

  /**
   * Where a term with these options finds the answer that it grades by, so that a data set without
   * it is refused before anything is played; by standard null: it needs none.
   */
  default @Nullable AnswerKey answerKey(Options options) {
    return null;
  }

  /**
   * Whether a term with these options earns by what happened on the way, such as results of tools,
   * and not by the last message alone; by standard false. Who has nothing but a response to grade
   * then knows that it cannot.
   */
  default boolean readsConversation(Options options) {
    return false;
  }

  /** Those of {@code options} that name a model of {@code reward_models}; by standard none. */
  default List<Option<String>> models(Options options) {
    return List.of();
  }
}
