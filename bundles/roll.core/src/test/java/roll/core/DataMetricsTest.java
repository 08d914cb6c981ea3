package roll.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;

class DataMetricsTest {
  @Test
  void describes_a_training_batch() {
    Batch batch =
        Batch.of(
                new int[] {0, 3, 6, 8, 10},
                new int[10],
                new int[] {-1, 0, 0, -1, 0, -1, -1, 0, -1, 0})
            .withSamples(Batch.SCORES, new double[] {1, 0, 1, 1})
            .withLabels(Batch.GROUP_IDS, List.of("a", "a", "b", "b"))
            .withTokens(Batch.TOKEN_REWARDS, new double[] {5, 0, 1, 5, -1, 5, 5, 2, 5, 2})
            .withTokens(Batch.ADVANTAGES, new double[] {5, 1, 2, 5, -.5, 5, 5, .25, 5, .5})
            .withTokens(Batch.RETURNS, new double[10]);
    Map<String, Double> metrics = new HashMap<>();
    DataMetrics.training(batch, metrics);
    assertEquals(.75, metrics.get("critic/score/mean"));
    assertEquals(1.0, metrics.get("critic/rewards/mean"));
    assertEquals(2.0, metrics.get("critic/advantages/max"));
    assertEquals(-.5, metrics.get("critic/advantages/min"));
    assertEquals((2.0 + .25) / 2, metrics.get("group/advantage_diff/mean"));
    assertEquals(.5, metrics.get("group/all_correct_ratio"));
    assertEquals(5.0 / 4, metrics.get("tokens/response_length/mean"));
    assertEquals(1.0, metrics.get("tokens/prompt_length/max"));
    assertEquals(2.0, metrics.get("tokens/non_prompt_length/max"));
  }
}
