package roll.reward.format;

import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;
import roll.api.reward.TaskFacts;
import roll.text.chat.JsonText;

/**
 * Whether the response follows the verifiable instruction of its row (IFEval), which the fact
 * {@code ground_truth} names with its arguments: {@code {"func_name": "verify_bullet_points", "N":
 * 3}}.
 */
@Component(name = "roll.reward.format.ifeval")
@RollReward("ifeval")
public final class IfevalReward implements RewardFunction {
  private static final String END = "</think>";

  private static final Option<String> KEY =
      Option.text("answer_key", "field of the instruction, a mapping or JSON, with its func_name")
          .withDefault("ground_truth");

  @Override
  public String description() {
    return "1 if the response follows the row's verifiable instruction (IFEval), otherwise 0";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(KEY);
  }

  @Override
  public Reward configure(Options options) {
    String key = options.get(KEY);
    return (episode, models) -> {
      String response = episode.finalResponse();
      int end = response.lastIndexOf(END);
      String said =
          end < 0 ? response : response.substring(end + END.length()).replaceFirst("^\n+", "");
      Object fact = TaskFacts.at(episode.facts(), key);
      Object read = fact instanceof String text ? JsonText.read(text) : fact;
      boolean followed =
          read instanceof Map<?, ?> instruction && IfevalChecks.followed(instruction, said);
      return Grade.of(followed, null);
    };
  }
}
