package roll.core.step;

import static java.util.stream.Collectors.averagingDouble;
import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.data.Trajectory;
import roll.batching.TrajectoryBatch;

/** Computes metrics of rollouts and training batches, with ROLL's names. */
final class DataMetrics {
  private DataMetrics() {}

  /** Adds {@code rollout/…}: scores and lengths of the played trajectories. */
  static void rollout(List<Trajectory> trajectories, Map<String, Double> metrics) {
    summary(
        "rollout/score", trajectories.stream().mapToDouble(Trajectory::score).toArray(), metrics);
    lengths("rollout", TrajectoryBatch.of(trajectories), metrics);
  }

  /**
   * Adds {@code val/score/…} over trajectories and {@code val/<tag>/score/…} over means of groups.
   */
  static void validation(List<Trajectory> trajectories, Map<String, Double> metrics) {
    summary("val/score", trajectories.stream().mapToDouble(Trajectory::score).toArray(), metrics);
    Map<String, List<Trajectory>> byTag = new TreeMap<>();
    trajectories.forEach(t -> byTag.computeIfAbsent(t.tag(), tag -> new ArrayList<>()).add(t));
    byTag.forEach((tag, own) -> summary("val/" + tag + "/score", groupMeans(own), metrics));
  }

  private static double[] groupMeans(List<Trajectory> trajectories) {
    return trajectories.stream()
        .collect(groupingBy(Trajectory::groupId, TreeMap::new, averagingDouble(Trajectory::score)))
        .values()
        .stream()
        .mapToDouble(mean -> mean)
        .toArray();
  }

  /**
   * Adds {@code actor/samples_…} and {@code actor/…_mask_ratio}: the number of samples with trained
   * tokens. None is masked for its length yet, see {@link TruncatedResponseMask}.
   */
  static void used(Batch batch, Map<String, Double> metrics) {
    double used = Arrays.stream(batch.layout().countBySample()).filter(n -> n > 0).count();
    metrics.put("actor/max_len_mask_ratio", 1.0);
    metrics.put("actor/final_mask_ratio", used / Math.max(1, batch.samples()));
    metrics.put("actor/samples_used", used);
    metrics.put("actor/samples_total", (double) batch.samples());
  }

  /**
   * Adds {@code global_seqlen/actor_train/…}: tokens of the training batch by rank, in the original
   * order and balanced. There is one rank, so all is the same.
   */
  static void sequenceLengths(Batch batch, Map<String, Double> metrics) {
    for (String name : List.of("min", "max", "balanced_min", "balanced_max", "mean")) {
      metrics.put("global_seqlen/actor_train/" + name, (double) batch.size());
    }
    metrics.put("global_seqlen/actor_train/minmax_diff", 0.0);
  }

  /**
   * {@code system/state_batch_size/…}: how many turns a group took in the same state; nothing where
   * the batch has no states.
   */
  private static void states(Batch batch, Map<String, Double> metrics) {
    int[] states = batch.columnOrNull(Batch.STATES);
    if (states == null) {
      return;
    }
    Map<Integer, Double> sizes = new TreeMap<>();
    for (int i = 0; i < batch.samples(); i++) {
      int turn = -1;
      for (int t : batch.layout().policyTokens(i)) {
        if (batch.layout().turns()[t] != turn) {
          turn = batch.layout().turns()[t];
          sizes.merge(states[t], 1.0, Double::sum);
        }
      }
    }
    double[] all = sizes.values().stream().mapToDouble(size -> size).toArray();
    summary("system/state_batch_size", all, metrics);
  }

  /** Adds {@code critic/…}, {@code tokens/…} and {@code group/…} of a batch with advantages. */
  static void training(Batch batch, Map<String, Double> metrics) {
    summary("critic/score", batch.column(Batch.SCORES), metrics);
    summary("critic/rewards", sums(batch, Batch.TOKEN_REWARDS), metrics);
    masked("critic/advantages", batch, Batch.ADVANTAGES, metrics);
    masked("critic/returns", batch, Batch.RETURNS, metrics);
    if (batch.columns().has(Batch.VALUES)) {
      masked("critic/values", batch, Batch.VALUES, metrics);
      metrics.put("critic/vf_explained_var", explainedVariance(batch));
    }
    lengths("tokens", batch, metrics);
    states(batch, metrics);
    groups(batch, metrics);
  }

  /**
   * {@code group/advantage_diff/mean}: mean over groups of the difference between the largest and
   * the smallest advantage of its samples; {@code group/all_correct_ratio}: share of groups in
   * which every sample has a positive score.
   */
  private static void groups(Batch batch, Map<String, Double> metrics) {
    double[] scores = batch.column(Batch.SCORES);
    double[] advantages = means(batch, Batch.ADVANTAGES);
    List<String> names = batch.column(Batch.GROUP_IDS);
    Map<String, double[]> byGroup = new LinkedHashMap<>();
    for (int i = 0; i < scores.length; i++) {
      double[] group =
          byGroup.computeIfAbsent(
              names.get(i),
              name ->
                  new double[] {
                    Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY
                  });
      group[0] = Math.min(group[0], advantages[i]);
      group[1] = Math.max(group[1], advantages[i]);
      group[2] = Math.min(group[2], scores[i]);
    }
    metrics.put(
        "group/advantage_diff/mean",
        byGroup.values().stream().mapToDouble(g -> g[1] - g[0]).average().orElse(0));
    metrics.put(
        "group/all_correct_ratio",
        byGroup.values().stream().mapToDouble(g -> g[2] > 0 ? 1 : 0).average().orElse(0));
  }

  /**
   * The share of the returns' variance that the values explain: {@code 1 − var(G − V) / (var(G) +
   * 1e-5)}, unbiased, over the tokens the policy wrote (verl); 1 says all, 0 nothing.
   */
  private static double explainedVariance(Batch batch) {
    double[] values = batch.column(Batch.VALUES);
    double[] returns = batch.column(Batch.RETURNS);
    double[] errors = new double[returns.length];
    Arrays.setAll(errors, t -> returns[t] - values[t]);
    return 1
        - MaskedStatistics.variance(errors, batch.layout().mask())
            / (MaskedStatistics.variance(returns, batch.layout().mask()) + 1e-5);
  }

  private static void lengths(String prefix, Batch batch, Map<String, Double> metrics) {
    double[] response = Arrays.stream(batch.layout().countBySample()).asDoubleStream().toArray();
    double[] prompt = new double[batch.samples()];
    double[] rest = new double[batch.samples()];
    for (int i = 0; i < batch.samples(); i++) {
      int start = batch.layout().offsets()[i];
      int end = batch.layout().offsets()[i + 1];
      int first = start;
      while (first < end && !batch.layout().mask()[first]) {
        first++;
      }
      prompt[i] = first - start;
      rest[i] = end - first;
    }
    summary(prefix + "/response_length", response, metrics);
    summary(prefix + "/prompt_length", prompt, metrics);
    summary(prefix + "/non_prompt_length", rest, metrics);
  }

  private static double[] sums(Batch batch, ColumnKey<double[]> column) {
    return batch.layout().sumBySample(batch.column(column));
  }

  private static double[] means(Batch batch, ColumnKey<double[]> column) {
    double[] means = sums(batch, column);
    int[] counts = batch.layout().countBySample();
    for (int i = 0; i < means.length; i++) {
      means[i] /= Math.max(1, counts[i]);
    }
    return means;
  }

  private static void masked(
      String name, Batch batch, ColumnKey<double[]> column, Map<String, Double> metrics) {
    double[] values = batch.column(column);
    boolean[] mask = batch.layout().mask();
    double[] kept =
        IntStream.range(0, values.length)
            .filter(t -> mask[t])
            .mapToDouble(t -> values[t])
            .toArray();
    summary(name, kept, metrics);
  }

  /** Adds {@code name/mean}, {@code /max} and {@code /min}; nothing where there are no values. */
  static void summary(String name, double[] values, Map<String, Double> metrics) {
    var statistics = Arrays.stream(values).summaryStatistics();
    if (statistics.getCount() > 0) {
      metrics.put(name + "/mean", statistics.getAverage());
      metrics.put(name + "/max", statistics.getMax());
      metrics.put(name + "/min", statistics.getMin());
    }
  }
}
