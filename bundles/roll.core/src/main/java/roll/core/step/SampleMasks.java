package roll.core.step;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import roll.api.data.Batch;
import roll.api.data.Trajectory;
import roll.runtime.config.algorithm.SampleMaskConfig;

/**
 * Samples that count in the normalization of rewards, and neither in whitening nor in the loss:
 * those whose response was cut, and those of groups that are too hard or too easy (ROLL's masks
 * {@code max_len_mask} and {@code difficulty_mask}).
 */
final class SampleMasks {
  private SampleMasks() {}

  /** Returns {@code batch} of samples of {@code played} without the tokens of such samples. */
  static Batch masked(
      Batch batch, List<Trajectory> played, SampleMaskConfig config, Map<String, Double> metrics) {
    if (!config.any()) {
      return batch;
    }
    Set<Integer> left = new HashSet<>();
    if (config.maxLength()) {
      Set<Integer> cut = cut(batch, played);
      metrics.put("actor/max_len_mask_ratio", kept(batch, cut));
      left.addAll(cut);
    }
    if (config.difficulty()) {
      Set<Integer> extreme = extreme(batch, scores(batch, played), config);
      metrics.put("actor/difficulty_mask_ratio", kept(batch, extreme));
      left.addAll(extreme);
    }
    metrics.put("actor/final_mask_ratio", kept(batch, left));
    metrics.put("actor/samples_used", (double) batch.samples() - left.size());
    boolean[] mask = batch.layout().mask().clone();
    for (int sample : left) {
      for (int t : batch.layout().policyTokens(sample)) {
        mask[t] = false;
      }
    }
    return batch.keeping(mask);
  }

  /**
   * Whether nothing of {@code batch} is left to train on, so that the step has no optimizer step;
   * {@code mask/final_mask_sum_eq_0} is 1 then.
   */
  static boolean leavesNone(Batch batch, SampleMaskConfig config, Map<String, Double> metrics) {
    if (!config.any()) {
      return false;
    }
    boolean none = Arrays.stream(batch.layout().countBySample()).sum() == 0;
    metrics.put("mask/final_mask_sum_eq_0", none ? 1.0 : 0.0);
    return none;
  }

  private static double kept(Batch batch, Set<Integer> left) {
    return 1 - left.size() / (double) Math.max(1, batch.samples());
  }

  private static Set<Integer> cut(Batch batch, List<Trajectory> played) {
    Set<String> cut =
        played.stream()
            .filter(trajectory -> !trajectory.cut().isEmpty())
            .map(Trajectory::id)
            .collect(Collectors.toSet());
    return samples(batch.column(Batch.TRAJECTORY_IDS), cut);
  }

  /** The accuracy of each sample that a reward reports, otherwise its score. */
  private static double[] scores(Batch batch, List<Trajectory> played) {
    Map<String, Double> accuracies = new HashMap<>();
    for (Trajectory trajectory : played) {
      Double accuracy = ValidationMetrics.accuracy(trajectory);
      if (accuracy != null) {
        accuracies.put(trajectory.id(), accuracy);
      }
    }
    double[] scores = batch.column(Batch.SCORES).clone();
    List<String> ids = batch.column(Batch.TRAJECTORY_IDS);
    Arrays.setAll(scores, i -> accuracies.getOrDefault(ids.get(i), scores[i]));
    return scores;
  }

  /** The samples of groups whose mean score is not between the thresholds; of one sample none. */
  private static Set<Integer> extreme(Batch batch, double[] scores, SampleMaskConfig config) {
    List<String> groups = batch.column(Batch.GROUP_IDS);
    Map<String, Integer> sizes = new HashMap<>();
    Map<String, Double> sums = new HashMap<>();
    for (int i = 0; i < scores.length; i++) {
      sizes.merge(groups.get(i), 1, Integer::sum);
      sums.merge(groups.get(i), scores[i], Double::sum);
    }
    Set<String> extreme = new HashSet<>();
    sums.forEach(
        (group, sum) -> {
          int size = sizes.getOrDefault(group, 1);
          double mean = sum / size;
          if (size > 1 && !(mean > config.low() && mean < config.high())) {
            extreme.add(group);
          }
        });
    return samples(groups, extreme);
  }

  private static Set<Integer> samples(List<String> labels, Set<String> chosen) {
    Set<Integer> samples = new HashSet<>();
    for (int i = 0; i < labels.size(); i++) {
      if (chosen.contains(labels.get(i))) {
        samples.add(i);
      }
    }
    return samples;
  }
}
