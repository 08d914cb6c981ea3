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

/** Scores the conversation of an episode by the head of a reward model. */
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
    return "score of the conversation by the head of a reward model, any number";
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
   * The configured reward by a model's score.
   *
   * @param model a key of {@code reward_models}
   */
  private record Scored(String model) implements Reward {
    /** Grades {@code episode}; one that was truncated before its first turn scores 0. */
    @Override
    public Grade grade(Trajectory episode, RewardModels models) throws InterruptedException {
      List<Message> conversation = scored(episode);
      if (conversation.isEmpty()) {
        return new Grade(0, Map.of("cut", 0.0), null);
      }
      ModelScore score = models.score(model, conversation);
      return new Grade(score.value(), Map.of("cut", score.cut() ? 1.0 : 0.0), null);
    }

    /**
     * Returns the messages up to the policy's last one, since unanswered messages are not scored.
     */
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
