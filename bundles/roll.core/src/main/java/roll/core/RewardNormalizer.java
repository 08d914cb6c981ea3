package roll.core;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.config.RewardNormalization;
import roll.api.config.RewardNormalization.Scope;

/**
 * Normalises the reward of each trajectory against its batch or group: {@code (x − μ) / (σ + 1e-6)}
 * with the unbiased σ, 0 where the group is a single trajectory or σ ≤ 1e-6 (ROLL's agentic
 * pipeline, reference/roll.md §3.2).
 */
final class RewardNormalizer {
  private static final double EPSILON = 1e-6;

  private RewardNormalizer() {}

  /** Rewards normalised as {@code how} says; {@code groups} names the group of each reward. */
  static double[] normalize(double[] rewards, List<String> groups, RewardNormalization how) {
    Map<String, Moments> byGroup = new LinkedHashMap<>();
    Moments batch = new Moments();
    for (int i = 0; i < rewards.length; i++) {
      byGroup.computeIfAbsent(groups.get(i), g -> new Moments()).add(rewards[i]);
      batch.add(rewards[i]);
    }
    double[] normalized = new double[rewards.length];
    for (int i = 0; i < rewards.length; i++) {
      Moments group = Moments.named(byGroup, groups.get(i));
      double centred = rewards[i] - mean(how.mean(), batch, group);
      if (how.std() == Scope.NONE) {
        normalized[i] = centred;
        continue;
      }
      double std = (how.std() == Scope.BATCH ? batch : group).std();
      normalized[i] = group.count > 1 && std > EPSILON ? centred / (std + EPSILON) : 0;
    }
    return normalized;
  }

  private static double mean(Scope scope, Moments batch, Moments group) {
    return switch (scope) {
      case NONE -> 0;
      case BATCH -> batch.mean;
      case GROUP -> group.mean;
    };
  }

  /** Mean and variance in one pass (Welford 1962). */
  private static final class Moments {
    private int count;
    private double mean;
    private double squares;

    static Moments named(Map<String, Moments> moments, String name) {
      return moments.getOrDefault(name, new Moments());
    }

    void add(double x) {
      count++;
      double delta = x - mean;
      mean += delta / count;
      squares += delta * (x - mean);
    }

    double std() {
      return count > 1 ? Math.sqrt(squares / (count - 1)) : 0;
    }
  }
}
