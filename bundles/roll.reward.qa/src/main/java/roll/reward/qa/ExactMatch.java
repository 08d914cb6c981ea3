package roll.reward.qa;

import org.osgi.service.component.annotations.Component;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/**
 * Nothing but the known answer counts. AgentFly's {@code qa_em_reward_tool_call} is the same: what
 * the tool {@code answer} was given is the final response.
 */
@Component(name = "roll.reward.qa.em", service = RewardFunction.class)
@RollReward({"em", "qa_em_reward_tool_call"})
public final class ExactMatch extends WordsReward {
  /** The only one there is. */
  public ExactMatch() {
    super(
        "1 if the final response is a known answer but for case, punctuation and articles, else 0",
        (match, tools) -> match.em());
  }
}
