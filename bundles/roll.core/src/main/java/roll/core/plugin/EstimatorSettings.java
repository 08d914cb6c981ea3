package roll.core.plugin;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import roll.api.data.Batch;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.TokenRewards;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.runtime.config.AlgorithmConfig;

/** What a configuration says to its advantage estimator. */
public final class EstimatorSettings {
  private EstimatorSettings() {}

  /**
   * The options of the estimator that {@code info} is of: ROLL's keys where it has an option of
   * that name, and {@code adv_estimator_args}.
   *
   * @throws UserException if it has no such option
   */
  public static Options options(AlgorithmConfig config, EstimatorInfo info) {
    Map<String, Object> given = new LinkedHashMap<>(config.estimatorDefaults());
    given.keySet().retainAll(info.options().stream().map(OptionInfo::name).toList());
    given.putAll(config.estimatorArgs());
    return Options.of("adv_estimator_args", given, info.options());
  }

  /**
   * Makes sure that {@code estimator} takes its options and gets what it needs.
   *
   * @param columns what the run computes, by the names of {@link roll.api.data.Batch}
   * @throws UserException if an option is wrong or something is missing
   */
  public static void check(
      AlgorithmConfig config, AdvantageEstimator estimator, Set<String> columns) {
    EstimatorInfo info = estimator.info();
    Set<String> missing = new TreeSet<>(info.needs());
    missing.removeAll(columns);
    if (!missing.isEmpty()) {
      throw new UserException(
          "adv_estimator: '"
              + config.estimator()
              + "' needs "
              + String.join(", ", missing)
              + ", which nothing in this run computes"
              + hint(missing));
    }
    TokenRewards nothing =
        TokenRewards.of(new double[0][], new int[0][])
            .withNormalization(config.rewardNormalization());
    for (String need : info.needs()) {
      nothing = nothing.withColumn(need);
    }
    estimator.estimate(nothing, options(config, info));
  }

  private static String hint(Set<String> missing) {
    if (missing.contains(Batch.VALUES)) {
      return " (critic.enable: true gives values)";
    }
    return missing.contains(Batch.SUM_PI_SQUARED)
        ? " (force_disable_old_logprobs_recompute: false has the policy compute it)"
        : "";
  }
}
