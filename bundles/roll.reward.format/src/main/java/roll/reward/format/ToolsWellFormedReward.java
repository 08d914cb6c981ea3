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

/** The share of an episode's tool calls that are well-formed. */
@Component(name = "roll.reward.format.tools_well_formed")
@RollReward("tools_well_formed")
public final class ToolsWellFormedReward implements RewardFunction {
  private static final Option<Double> NO_CALLS =
      Option.number("no_calls", 0, 1, "score of an episode without a call").withDefault(0.0);
  private static final String CALLS = "tool_calls";
  private static final String MALFORMED = "tool_calls/malformed";

  @Override
  public String description() {
    return "share of well-formed tool calls, 0 to 1";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(NO_CALLS);
  }

  @Override
  public Reward configure(Options options) {
    double none = options.get(NO_CALLS);
    return (episode, models) -> Grade.of(share(episode, none));
  }

  private static double share(Trajectory episode, double none) {
    double calls = episode.metrics().getOrDefault(CALLS, 0.0);
    double malformed = episode.metrics().getOrDefault(MALFORMED, 0.0);
    return calls > 0 ? Math.clamp((calls - malformed) / calls, 0, 1) : none;
  }
}
