package roll.reward.format;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Trajectory;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** Something for each tool call of an episode that could be read, by how it ended. */
@Component(name = "roll.reward.format.tool_use")
@RollReward("tool_use")
public final class ToolUse implements RewardFunction {
  private static final String CALL = "per_call";
  private static final String SUCCESS = "per_success";
  private static final String ERROR = "per_error";
  private static final String CALLS = "tool_calls";
  private static final double MOST = 1000;

  @Override
  public String description() {
    return "a sum over the tool calls that could be read, by how each ended";
  }

  @Override
  public List<OptionInfo> options() {
    return List.of(
        new OptionInfo(CALL, OptionInfo.Type.NUMBER, 0, "for each call that was made"),
        new OptionInfo(SUCCESS, OptionInfo.Type.NUMBER, 0, "more for one that gave a result"),
        new OptionInfo(ERROR, OptionInfo.Type.NUMBER, 0, "more for one that failed"));
  }

  @Override
  public Reward configure(Options options) {
    double call = options.number(CALL, -MOST, MOST);
    double success = options.number(SUCCESS, -MOST, MOST);
    double error = options.number(ERROR, -MOST, MOST);
    return (episode, models) -> {
      double failed = count(episode, CALLS + "/failed");
      double made = count(episode, CALLS) - count(episode, CALLS + "/malformed");
      return Grade.of(call * made + success * (made - failed) + error * failed);
    };
  }

  private static double count(Trajectory episode, String metric) {
    return episode.metrics().getOrDefault(metric, 0.0);
  }
}
