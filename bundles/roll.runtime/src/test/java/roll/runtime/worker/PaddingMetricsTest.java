package roll.runtime.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;

class PaddingMetricsTest {
  /** Samples of 7, 3 and 5 tokens. */
  private static TokenBatch batch() {
    boolean[] scored = new boolean[15];
    scored[1] = scored[8] = scored[11] = true;
    return new TokenBatch(new int[] {0, 7, 10, 15}, new int[15], scored);
  }

  /** A budget of 14 cuts into {7, 5} and {3}: 2 · 7 + 3 = 17 of 3 · 20 tokens, twice. */
  @Test
  void countsWhatABudgetLeavesOut() {
    PaddingMetrics padding =
        new PaddingMetrics("critic/train_step", new Cutting.Tokens(14), 20)
            .add(batch())
            .add(batch());
    String prefix = "dynamic_batching/critic/train_step/";
    assertEquals(
        Map.of(
            prefix + "valid_tokens", 30.0,
            prefix + "actual_tokens_origin", 120.0,
            prefix + "actual_tokens", 34.0,
            prefix + "removed_padding_tokens", 86.0,
            prefix + "removed_padding_ratio", 86.0 / 120),
        padding.metrics());
  }

  @Test
  void packedSamplesHaveNoPadding() {
    Cutting packed = new Cutting.Packed(12, 1, false);
    Map<String, Double> metrics =
        new PaddingMetrics("critic/train_step", packed, 20).add(batch()).metrics();
    String prefix = "dynamic_batching/critic/train_step/";
    assertEquals(15.0, metrics.get(prefix + "actual_tokens"));
    assertEquals(45.0, metrics.get(prefix + "removed_padding_tokens"));
  }

  @Test
  void withoutABudgetThereIsNothingToCount() {
    PaddingMetrics padding = new PaddingMetrics("critic/train_step", new Cutting.Samples(2), 20);
    assertEquals(Map.of(), padding.add(batch()).metrics());
  }
}
