package roll.reward.format;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Trajectory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** Rewards each well-formed tool call of an episode by its outcome. */
@Component(name = "roll.reward.format.tool_use")
@RollReward("tool_use")
public final class ToolUseReward implements RewardFunction {
  private static final String CALLS = "tool_calls";
  private static final double MOST = 1000;
  private static final Option<Double> CALL =
      Option.number("per_call", -MOST, MOST, "score per well-formed call").withDefault(0.0);
  private static final Option<Double> SUCCESS =
      Option.number("per_success", -MOST, MOST, "additional score per call with a result")
          .withDefault(0.0);
  private static final Option<Double> ERROR =
      Option.number("per_error", -MOST, MOST, "additional score per failed call").withDefault(0.0);

  @Override
  public String description() {
    return "sum over the well-formed tool calls by outcome";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(CALL, SUCCESS, ERROR);
  }

  @Override
  public Reward configure(Options options) {
    double call = options.get(CALL);
    double success = options.get(SUCCESS);
    double error = options.get(ERROR);
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
