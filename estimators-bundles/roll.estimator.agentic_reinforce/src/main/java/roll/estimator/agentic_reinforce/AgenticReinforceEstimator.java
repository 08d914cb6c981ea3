package roll.estimator.agentic_reinforce;

import org.osgi.service.component.annotations.Component;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Options;
import roll.math.BatchTurns;

/**
 * REINFORCE whose discount acts by turn, as ROLL calls {@code agentic_reinforce}: every token of a
 * turn has the discounted reward from that turn on.
 */
@Component(name = "roll.estimator.agentic_reinforce")
@RollEstimator("agentic_reinforce")
public final class AgenticReinforceEstimator implements AdvantageEstimator {
  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "reward to go, discounted by turn",
            """
            R_k = Σ r_t over the tokens of turn k
            A_t = returns_t = R_k + γ · A of turn k + 1\
            """,
            "Williams 1992, Simple Statistical Gradient-Following Algorithms; the turns of ROLL")
        .reading(EstimatorInfo.GAMMA)
        .withExample(
            TokenRewards.of(new double[][] {{0, 0, 0, 0, 1}}, new int[][] {{1, 1, 0, 1, 1}})
                .withDiscounts(.9, 1));
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    BatchTurns turns = BatchTurns.of(rewards);
    return Advantages.of(turns.spread(turns.rewardsToGo(rewards.gamma())));
  }
}
