package roll.api.reward;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.data.Message;

/** The frozen models of {@code reward_models} that a reward may query. */
@ProviderType
public interface RewardModels {
  /** Reward models of a run that has none: every request fails. */
  RewardModels NONE =
      (model, messages) -> {
        throw new IllegalStateException("there is no reward model '" + model + "'");
      };

  /**
   * Generates the response of {@code model} to a conversation, without special tokens; blocks until
   * it is complete. Requests of all episodes of a rollout are batched.
   *
   * @param model a key of {@code reward_models}
   */
  String ask(String model, List<Message> messages) throws InterruptedException;

  /**
   * Scores a conversation with the value head of {@code model} at the last token of the
   * conversation in the model's chat format; blocks until the score is available. Requests of all
   * episodes of a rollout are batched.
   *
   * @param model a key of {@code reward_models} of a model with a value head
   * @throws roll.api.option.UserException if the model is generative, or the conversation has
   *     pictures
   */
  default ModelScore score(String model, List<Message> messages) throws InterruptedException {
    throw new IllegalStateException("there is no reward model '" + model + "' with a value head");
  }
}
