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

/** The share of an episode's tool calls that could be read. */
@Component(name = "roll.reward.format.tools_well_formed")
@RollReward("tools_well_formed")
public final class ToolsWellFormed implements RewardFunction {
  private static final String NO_CALLS = "no_calls";
  private static final String CALLS = "tool_calls";
  private static final String MALFORMED = "tool_calls/malformed";

  @Override
  public String description() {
    return "the share of the tool calls that were well formed, 0 to 1";
  }

  @Override
  public List<OptionInfo> options() {
    return List.of(
        new OptionInfo(
            NO_CALLS, OptionInfo.Type.NUMBER, 0, "for an episode without a call, 0 to 1"));
  }

  @Override
  public Reward configure(Options options) {
    double none = options.number(NO_CALLS, 0, 1);
    return (episode, models) -> Grade.of(share(episode, none));
  }

  private static double share(Trajectory episode, double none) {
    double calls = episode.metrics().getOrDefault(CALLS, 0.0);
    double malformed = episode.metrics().getOrDefault(MALFORMED, 0.0);
    return calls > 0 ? Math.clamp((calls - malformed) / calls, 0, 1) : none;
  }
}
