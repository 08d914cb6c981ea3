package roll.estimator.gigpo;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Batch;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;
import roll.api.estimator.RollEstimator;
import roll.api.estimator.TokenRewards;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.math.BatchTurns;
import roll.math.RewardNormalizer;

/**
 * Group-in-group policy optimization (Feng et al. 2025): how good the episode was among those of
 * its group, and how good the turn was among those that its group took in the same state.
 */
@Component(name = "roll.estimator.gigpo")
@RollEstimator("gigpo")
public final class GigpoEstimator implements AdvantageEstimator {
  private static final Option<Double> EPISODE_WEIGHT =
      Option.number(
              "episode_reward_weight", 0, Double.MAX_VALUE, "`w_e`, weight of the episode part")
          .withDefault(1.0);
  private static final Option<Double> STEP_WEIGHT =
      Option.number("step_reward_weight", 0, Double.MAX_VALUE, "`w_s`, weight of the step part")
          .withDefault(1.0);
  private static final Option<Double> STEP_GAMMA =
      Option.number("step_reward_gamma", 0, 1, "`γ_s`, discount by turn").withDefault(0.95);

  private static final RewardNormalization STANDARD =
      new RewardNormalization(Batch.GROUP_IDS.name(), Scope.GROUP, Scope.GROUP, false);

  @Override
  public EstimatorInfo info() {
    return EstimatorInfo.of(
            "the episode among its group and the turn among turns in the same state",
            """
            G_k = r_k + γ_s · G_{k+1}, the step return of turn k
            A_t = w_e · N(episode reward; its group) + w_s · N(G_k; turns of the group in the same state)
            N(x) = (x − μ) / (σ + 1e-6), or what reward_normalization says; 0 where σ has one number\
            """,
            "Feng et al. 2025, Group-in-Group Policy Optimization for LLM Agent Training,"
                + " arXiv:2505.10978")
        .withNeeds(Batch.TURN_REWARDS, Batch.STATES)
        .withOptions(EPISODE_WEIGHT, STEP_WEIGHT, STEP_GAMMA)
        .withExample(
            TokenRewards.of(
                    new double[][] {{0, 0, 1}, {0, 0, 0, 0}}, new int[][] {{1, 0, 1}, {1, 0, 1, 1}})
                .withColumn(Batch.STATES, 0, 0, 1, 0, 0, 2, 2));
  }

  @Override
  public Advantages estimate(TokenRewards rewards, Options options) {
    double episodeWeight = options.get(EPISODE_WEIGHT);
    double stepWeight = options.get(STEP_WEIGHT);
    double gamma = options.get(STEP_GAMMA);
    RewardNormalization how = rewards.relative() ? rewards.normalization() : STANDARD;
    BatchTurns turns = BatchTurns.of(rewards);
    double[] episodes = RewardNormalizer.normalize(turns.outcomes(), rewards.groups(), how);
    double[] steps =
        RewardNormalizer.normalize(
            turns.rewardsToGo(gamma), anchors(rewards, turns), withinStates(how));
    double[] advantages = new double[steps.length];
    Arrays.setAll(
        advantages, k -> episodeWeight * episodes[turns.samples()[k]] + stepWeight * steps[k]);
    return Advantages.of(turns.spread(advantages))
        .withPart("episode_rewards_norm", episodes)
        .withPart("step_rewards_norm", steps);
  }

  /** The statistics of the step part are always those of its state. */
  private static RewardNormalization withinStates(RewardNormalization how) {
    return new RewardNormalization(
        Batch.STATES.name(),
        Scope.GROUP,
        how.std() == Scope.NONE ? Scope.NONE : Scope.GROUP,
        how.asymClip());
  }

  /** Numbers the states of each group; equal states of different groups stay apart. */
  private static int[] anchors(TokenRewards rewards, BatchTurns turns) {
    int[] states = turns.take(rewards.column(Batch.STATES));
    Map<List<Object>, Integer> numbers = new LinkedHashMap<>();
    int[] anchors = new int[states.length];
    for (int k = 0; k < anchors.length; k++) {
      int group = rewards.groups()[turns.samples()[k]];
      anchors[k] = numbers.computeIfAbsent(List.of(group, states[k]), key -> numbers.size());
    }
    return anchors;
  }
}
