package roll.reward.model;

import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.ModelScore;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RewardModels;
import roll.api.reward.RollReward;

/** What a reward model gives the conversation of an episode by its head. */
@Component(name = "roll.reward.model")
@RollReward("model")
public final class ModelReward implements RewardFunction {
  private static final Option<String> MODEL =
      Option.text(
          "model",
          "key of `reward_models` whose `model_args.model_type` says that it scores; what all"
              + " episodes ask is computed as one batch");

  @Override
  public String description() {
    return "what the head of a reward model says of the conversation, any number";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(MODEL);
  }

  @Override
  public Reward configure(Options options) {
    return new Scored(options.get(MODEL));
  }

  @Override
  public List<Option<String>> scorers(Options options) {
    return List.of(MODEL);
  }

  @Override
  public boolean readsConversation(Options options) {
    return true;
  }

  /**
   * The reward.
   *
   * @param model a key of {@code reward_models}
   */
  private record Scored(String model) implements Reward {
    /** An episode that was cut short before its first turn has nothing to score. */
    @Override
    public Grade grade(Trajectory episode, RewardModels models) throws InterruptedException {
      List<Message> conversation = scored(episode);
      if (conversation.isEmpty()) {
        return new Grade(0, Map.of("cut", 0.0), null);
      }
      ModelScore score = models.score(model, conversation);
      return new Grade(score.value(), Map.of("cut", score.cut() ? 1.0 : 0.0), null);
    }

    /** As far as the policy got: what nobody answered is not scored for an answer. */
    private static List<Message> scored(Trajectory episode) {
      List<Message> messages = episode.messages();
      int end = messages.size();
      while (!episode.answered() && end > 0 && !messages.get(end - 1).role().equals("assistant")) {
        end--;
      }
      return messages.subList(0, end);
    }
  }
}
