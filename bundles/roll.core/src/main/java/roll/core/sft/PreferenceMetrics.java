package roll.core.sft;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import roll.api.preference.PreferenceBatch;
import roll.api.preference.PreferenceInfo.Need;
import roll.api.preference.PreferenceResult;

/** Metrics of preferences, with the names that TRL has for them. */
final class PreferenceMetrics {
  private PreferenceMetrics() {}

  /** Returns the metrics of {@code batch}; those of answers that are missing are left out. */
  static Map<String, Double> of(PreferenceBatch batch, PreferenceResult result, Set<Need> needs) {
    Map<String, Double> metrics = new LinkedHashMap<>(result.metrics());
    mean(metrics, "rewards/chosen", batch, true, result.rewards());
    mean(metrics, "rewards/rejected", batch, false, result.rewards());
    if (!needs.contains(Need.SCORES)) {
      mean(metrics, "logps/chosen", batch, true, batch.logProbs());
      mean(metrics, "logps/rejected", batch, false, batch.logProbs());
    }
    Double chosen = metrics.get("rewards/chosen");
    Double rejected = metrics.get("rewards/rejected");
    if (chosen != null && rejected != null) {
      metrics.put("rewards/margins", chosen - rejected);
    }
    batch.pairs().stream()
        .mapToDouble(p -> result.rewards()[p.chosen()] > result.rewards()[p.rejected()] ? 1 : 0)
        .average()
        .ifPresent(right -> metrics.put("rewards/accuracies", right));
    return metrics;
  }

  private static void mean(
      Map<String, Double> metrics,
      String name,
      PreferenceBatch batch,
      boolean preferred,
      double[] column) {
    IntStream.range(0, batch.answers())
        .filter(i -> batch.preferred()[i] == preferred)
        .mapToDouble(i -> column[i])
        .average()
        .ifPresent(value -> metrics.put(name, value));
  }
}
