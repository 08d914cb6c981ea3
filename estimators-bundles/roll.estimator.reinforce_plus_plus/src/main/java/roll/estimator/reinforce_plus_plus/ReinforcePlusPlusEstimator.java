package roll.estimator.reinforce_plus_plus;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * REINFORCE++ (Hu 2025): the discounted reward to go, whitened over the whole batch. The treatment
 * of environment tokens between two turns is an option.
 */
@Component(name = "roll.estimator.reinforce_plus_plus")
@RollEstimator({"reinforce_plus_plus", "reinforce++"})
public final class ReinforcePlusPlusEstimator implements AdvantageEstimator {
  private static final Option<String> MULTI_TURN =
      Option.choice(
              "multi_turn",
              List.of("skip", "carry", "reset"),
              "tokens between turns: skip leaves them out, carry discounts over them (AgentFly),"
                  + " reset lets no reward pass them (verl)")
          .withDefault("skip");

  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "reward to go, whitened over the batch",
            "A_t = returns_t = r_t + γ · A_{t+1}, then whitened",
            "Hu 2025, REINFORCE++: A Simple and Efficient Approach for Aligning Large Language"
                + " Models, arXiv:2501.03262")
        .reading(EstimatorInfo.GAMMA)
        .whitened()
        .withOptions(MULTI_TURN)
        .withExample(
            TokenRewards.of(
                    new double[][] {{0, 0, 1}, {0, 0, 0}}, new int[][] {{1, 0, 1}, {1, 1, 0}})
                .withDiscounts(.5, 1));
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    return Advantages.of(
        switch (options.get(MULTI_TURN)) {
          case "carry" -> overUnwritten(rewards, rewards.gamma());
          case "reset" -> overUnwritten(rewards, 0);
          default -> rewards.rewardsToGo(rewards.gamma());
        });
  }

  /** Rewards to go that an unwritten token lets through times {@code factor}. */
  private static double[] overUnwritten(TokenRewards rewards, double factor) {
    double[] toGo = new double[rewards.layout().size()];
    for (int i = 0; i < rewards.samples(); i++) {
      double next = 0;
      for (int t = rewards.layout().offsets()[i + 1] - 1; t >= rewards.layout().offsets()[i]; t--) {
        if (rewards.layout().mask()[t]) {
          next = rewards.rewards()[t] + rewards.gamma() * next;
          toGo[t] = next;
        } else {
          next *= factor;
        }
      }
    }
    return toGo;
  }
}
