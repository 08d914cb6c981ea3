package roll.config.verl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.config.dialect.TranslatedKeys;

/** verl's {@code rollout_correction}: weights, filters, and the loss of {@code bypass_mode}. */
final class VerlCorrection {
  private static final String VERL = "algorithm.rollout_correction.";
  private static final String WEIGHT = VERL + "rollout_is";
  private static final String WEIGHT_BOUND = VERL + "rollout_is_threshold";
  private static final String FILTERS = VERL + "rollout_rs";
  private static final String FILTER_BOUNDS = VERL + "rollout_rs_threshold";
  static final String BYPASS = VERL + "bypass_mode";
  static final String LOSS = VERL + "loss_type";
  private static final String OURS = "train_infer_correction.";
  private static final String POSITIVE = "a positive number";
  private static final String RANGE = "two positive numbers lower_upper";
  private static final Map<String, String> LEVELS =
      Map.of("token", "token", "seq_mean", "geometric", "seq_sum", "sequence", "seq_max", "max");

  private final VerlOptions options;
  private final TranslatedKeys ours;

  VerlCorrection(VerlOptions options, TranslatedKeys ours) {
    this.options = options;
    this.ours = ours;
  }

  /**
   * Writes the correction. With {@code bypass_mode} verl compares the current policy with that of
   * the rollout, at each update, and its PPO loss takes no weights, since its ratio is the weight.
   */
  void put() {
    ours.copy("force_disable_old_logprobs_recompute", BYPASS);
    boolean bypass = options.flag(BYPASS);
    boolean filters = options.has(FILTERS);
    boolean weights = options.has(WEIGHT);
    if (weights && bypass && options.text(LOSS).equals("ppo_clip")) {
      options.notice(
          "key '%s' has no effect here: with bypass_mode the ratio of ppo_clip is the weight"
              .formatted(WEIGHT));
      weights = false;
    }
    if (weights) {
      weights();
    }
    if (filters) {
      ours.put(OURS + "filters", filters(), FILTERS, FILTER_BOUNDS);
    } else if (options.has(FILTER_BOUNDS)) {
      options.notice(
          "key '%s' has no effect here: there is no rollout_rs".formatted(FILTER_BOUNDS));
    }
    if (bypass && (weights || filters)) {
      ours.put(OURS + "current_log_probs", true, BYPASS);
    }
    if (!bypass && !options.standard(LOSS)) {
      options.notice("key '%s' has no effect here: bypass_mode is false".formatted(LOSS));
    }
  }

  private void weights() {
    ours.put(OURS + "is_weight.enabled", true, WEIGHT);
    ours.copy(OURS + "is_weight.weight_type", WEIGHT);
    String bound = options.text(WEIGHT_BOUND);
    if (bound.contains("_")) {
      double[] range = range(WEIGHT_BOUND, bound);
      ours.put(OURS + "is_weight.lower_bound", range[0], WEIGHT_BOUND);
      ours.put(OURS + "is_weight.upper_bound", range[1], WEIGHT_BOUND);
    } else {
      ours.put(OURS + "is_weight.upper_bound", number(WEIGHT_BOUND, bound, POSITIVE), WEIGHT_BOUND);
    }
    ours.copy(OURS + "is_weight.batch_normalize", VERL + "rollout_is_batch_normalize");
  }

  private List<Map<String, @Nullable Object>> filters() {
    List<String> names = parts(FILTERS).stream().distinct().toList();
    List<String> bounds = parts(FILTER_BOUNDS);
    if (bounds.size() != 1 && bounds.size() != names.size()) {
      throw options.wrong(
          FILTER_BOUNDS,
          "one bound or as many as rollout_rs has names, %d".formatted(names.size()),
          options.value(FILTER_BOUNDS));
    }
    List<Map<String, @Nullable Object>> filters = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      filters.add(filter(names.get(i), bounds.get(bounds.size() == 1 ? 0 : i)));
    }
    return filters;
  }

  private List<String> parts(String path) {
    return options.has(path)
        ? Arrays.stream(options.text(path).split(",", -1)).map(String::strip).toList()
        : List.of();
  }

  /**
   * verl's k1 is −d, the logarithm of π_rollout / π_train, so its bounds are those of 1 / exp(d).
   */
  private Map<String, @Nullable Object> filter(String name, String bound) {
    int end = name.lastIndexOf('_');
    String level = end < 0 ? null : LEVELS.get(name.substring(0, end));
    String kind = name.substring(end + 1);
    if (level == null || !kind.matches("k[123]") || name.equals("seq_max_k1")) {
      throw options.wrong(
          FILTERS, "token, seq_mean, seq_sum with _k1, _k2, _k3, seq_max with _k2, _k3", name);
    }
    Map<String, @Nullable Object> filter = new LinkedHashMap<>();
    filter.put("enabled", true);
    filter.put("agg_type", level);
    if (kind.equals("k1")) {
      double[] range = range(FILTER_BOUNDS, bound);
      filter.put("ratio_low", 1 / range[1]);
      filter.put("ratio_high", 1 / range[0]);
    } else {
      filter.put("kl", kind);
      filter.put("kl_high", number(FILTER_BOUNDS, bound, POSITIVE + " for " + name));
    }
    return filter;
  }

  /** Returns the bounds of {@code lower_upper}, or of an upper bound and its reciprocal. */
  private double[] range(String path, String bound) {
    int between = bound.indexOf('_');
    double high = number(path, bound.substring(between + 1), RANGE);
    double low = between < 0 ? 1 / high : number(path, bound.substring(0, between), RANGE);
    if (low > high) {
      throw options.wrong(path, RANGE, bound);
    }
    return new double[] {low, high};
  }

  private double number(String path, String text, String allowed) {
    try {
      double number = Double.parseDouble(text);
      if (number > 0 && number < Double.POSITIVE_INFINITY) {
        return number;
      }
    } catch (NumberFormatException e) {
      // the same complaint
    }
    throw options.wrong(path, allowed, text);
  }
}
