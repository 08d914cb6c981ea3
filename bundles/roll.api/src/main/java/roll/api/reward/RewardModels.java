package roll.api.reward;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.data.Message;

/** The frozen models that a reward may ask: those of {@code reward_models}. */
@ProviderType
public interface RewardModels {
  /** None: whoever asks is told so. */
  RewardModels NONE =
      (model, messages) -> {
        throw new IllegalStateException("there is no model '" + model + "' to ask");
      };

  /**
   * What {@code model} answers to a conversation, without special tokens; blocks until it is there.
   * What all episodes of a rollout ask for is computed together.
   *
   * @param model a key of {@code reward_models}
   */
  String ask(String model, List<Message> messages) throws InterruptedException;
}
