package roll.core.plugin;

import static java.util.stream.Collectors.joining;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.data.ColumnMap;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.TokenRewards;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.runtime.config.algorithm.AlgorithmConfig;
import roll.runtime.option.YamlOptions;

/** The settings of the advantage estimator in a configuration. */
public final class EstimatorSettings {
  private EstimatorSettings() {}

  /**
   * The options of the estimator with {@code info}: ROLL's keys for its options of the same name,
   * and {@code adv_estimator_args}.
   *
   * @throws UserException if it has no such option
   */
  public static Options options(AlgorithmConfig config, EstimatorInfo info) {
    Map<String, Object> given = new LinkedHashMap<>(config.estimator().defaults());
    given.keySet().retainAll(YamlOptions.names(info.options()));
    given.putAll(config.estimator().args());
    return YamlOptions.checked("adv_estimator_args", given, info.options());
  }

  /**
   * Checks that {@code estimator} accepts its options and has its required columns.
   *
   * @param columns what the run computes, by their keys in {@link roll.api.data.Batch}
   * @throws UserException if an option is wrong or something is missing
   */
  public static void check(
      AlgorithmConfig config, AdvantageEstimator estimator, Set<ColumnKey<?>> columns) {
    EstimatorInfo info = estimator.info();
    List<ColumnKey<?>> missing =
        info.needs().stream()
            .filter(need -> !columns.contains(need))
            .sorted(Comparator.comparing(ColumnKey::name))
            .toList();
    if (!missing.isEmpty()) {
      throw new UserException(
          "adv_estimator: '"
              + config.estimator().name()
              + "' needs "
              + missing.stream().map(ColumnKey::name).collect(joining(", "))
              + ", which nothing in this run computes"
              + hint(missing));
    }
    Map<ColumnKey<?>, Object> none = new LinkedHashMap<>();
    for (ColumnKey<?> need : info.needs()) {
      none.put(need, need.type() == int[].class ? new int[0] : new double[0]);
    }
    TokenRewards nothing =
        TokenRewards.of(new double[0][], new int[0][])
            .withNormalization(config.rewards().normalization())
            .withColumns(new ColumnMap(none));
    estimator.estimate(nothing, options(config, info));
  }

  private static String hint(List<ColumnKey<?>> missing) {
    if (missing.contains(Batch.VALUES)) {
      return " (critic.enable: true gives values)";
    }
    if (missing.contains(Batch.REFERENCE_LOG_PROBS)) {
      return " (enable_reference: true gives those of the role reference)";
    }
    return missing.contains(Batch.SUM_PI_SQUARED)
        ? " (force_disable_old_logprobs_recompute: false has the policy compute it)"
        : "";
  }
}
