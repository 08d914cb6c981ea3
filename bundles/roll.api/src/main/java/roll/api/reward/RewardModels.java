package roll.api.reward;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.data.Message;

/** The frozen models that a reward may ask: those of {@code reward_models}. */
@ProviderType
public interface RewardModels {
  /** None: a request fails with a message that says so. */
  RewardModels NONE =
      (model, messages) -> {
        throw new IllegalStateException("there is no model '" + model + "' to ask");
      };

  /**
   * The answer of {@code model} to a conversation, without special tokens; blocks until it is
   * there. Requests of all episodes of a rollout are batched.
   *
   * @param model a key of {@code reward_models}
   */
  String ask(String model, List<Message> messages) throws InterruptedException;

  /**
   * The score that {@code model} gives a whole conversation by its value head, read at the last
   * token of the conversation in the model's chat format; blocks until it is there. What all
   * episodes of a rollout ask is scored together.
   *
   * @param model a key of {@code reward_models} that scores
   * @throws roll.api.option.UserException if it writes instead, or the conversation has pictures
   */
  default ModelScore score(String model, List<Message> messages) throws InterruptedException {
    throw new IllegalStateException("there is no model '" + model + "' that scores");
  }
}
