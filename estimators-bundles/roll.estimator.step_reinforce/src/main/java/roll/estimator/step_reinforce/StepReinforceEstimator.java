package roll.estimator.step_reinforce;

import java.util.Arrays;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Batch;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.math.BatchTurns;
import roll.math.RewardNormalizer;

/**
 * REINFORCE by turn (ROLL's {@code step_reinforce}): the advantage of each token is the discounted
 * step return of its turn, normalized as {@code reward_normalization} says.
 */
@Component(name = "roll.estimator.step_reinforce")
@RollEstimator("step_reinforce")
public final class StepReinforceEstimator implements AdvantageEstimator {
  private static final Option<Double> STEP_GAMMA =
      Option.number("step_reward_gamma", 0, 1, "`γ_s`, discount by turn").withDefault(0.95);

  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "the step return of each turn, normalized",
            """
            G_k = r_k + γ_s · G_{k+1}, the step return of turn k
            A_t = N(G_k), N as reward_normalization says\
            """,
            "Williams 1992, Simple Statistical Gradient-Following Algorithms; the step returns"
                + " of ROLL")
        .withNeeds(Batch.TURN_REWARDS)
        .withOptions(STEP_GAMMA)
        .withExample(
            TokenRewards.of(
                new double[][] {{-.1, 0, -.25, 0, 10.9}}, new int[][] {{1, 0, 1, 0, 1}}));
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    double gamma = options.get(STEP_GAMMA);
    BatchTurns turns = BatchTurns.of(rewards);
    int[] groups = Arrays.stream(turns.samples()).map(i -> rewards.groups()[i]).toArray();
    return Advantages.of(
        turns.spread(
            RewardNormalizer.normalize(turns.rewardsToGo(gamma), groups, rewards.normalization())));
  }
}
