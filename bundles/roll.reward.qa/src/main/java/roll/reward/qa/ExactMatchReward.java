package roll.reward.qa;

import org.osgi.service.component.annotations.Component;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/**
 * Reward of 1 for exactly the known answer, otherwise 0. AgentFly's {@code qa_em_reward_tool_call}
 * is the same, with an answer submitted to the tool {@code answer} as final response.
 */
@Component(name = "roll.reward.qa.em", service = RewardFunction.class)
@RollReward({"em", "qa_em_reward_tool_call"})
public final class ExactMatchReward extends WordsReward {
  /** Creates the exact match reward. */
  public ExactMatchReward() {
    super(
        "1 if the final response is a known answer, ignoring case, punctuation and articles,"
            + " otherwise 0",
        (match, tools) -> match.em());
  }
}
