package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

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
            .withColumn(Batch.SCORES, new double[] {1, 0, 1, 1})
            .withColumn(Batch.GROUP_IDS, List.of("a", "a", "b", "b"))
            .withColumn(Batch.TOKEN_REWARDS, new double[] {5, 0, 1, 5, -1, 5, 5, 2, 5, 2})
            .withColumn(Batch.ADVANTAGES, new double[] {5, 1, 2, 5, -.5, 5, 5, .25, 5, .5})
            .withColumn(Batch.RETURNS, new double[10]);
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
    assertFalse(metrics.containsKey("critic/vf_explained_var"));
  }

  /** The first sample has two turns in states 0 and 1, the second one turn in state 0. */
  @Test
  void counts_samples_tokens_and_turns_in_a_state() {
    Batch batch =
        Batch.of(new int[] {0, 4, 6, 7}, new int[7], new int[] {-1, 0, 0, 1, -1, 0, -1})
            .withColumn(Batch.SCORES, new double[] {1, 1, 0})
            .withColumn(Batch.GROUP_IDS, List.of("a", "a", "a"))
            .withColumn(Batch.STATES, new int[] {9, 0, 0, 1, 9, 0, 9})
            .withColumn(Batch.TOKEN_REWARDS, new double[7])
            .withColumn(Batch.ADVANTAGES, new double[7])
            .withColumn(Batch.RETURNS, new double[7]);
    Map<String, Double> metrics = new HashMap<>();
    DataMetrics.used(batch, metrics);
    DataMetrics.sequenceLengths(batch, metrics);
    DataMetrics.training(batch, metrics);
    assertEquals(1.0, metrics.get("actor/max_len_mask_ratio"));
    assertEquals(2.0 / 3, metrics.get("actor/final_mask_ratio"));
    assertEquals(2.0, metrics.get("actor/samples_used"));
    assertEquals(3.0, metrics.get("actor/samples_total"));
    assertEquals(0.0, metrics.get("global_seqlen/actor_train/minmax_diff"));
    for (String name : List.of("min", "max", "balanced_min", "balanced_max", "mean")) {
      assertEquals(7.0, metrics.get("global_seqlen/actor_train/" + name), name);
    }
    assertEquals(1.5, metrics.get("system/state_batch_size/mean"));
    assertEquals(2.0, metrics.get("system/state_batch_size/max"));
    assertEquals(1.0, metrics.get("system/state_batch_size/min"));
  }

  /** Returns 1, 2, 4 (variance 7/3) and values 1, 1, 4 (errors 0, 1, 0: variance 1/3). */
  @Test
  void says_how_well_the_critic_knows_the_returns() {
    Batch batch =
        Batch.of(new int[] {0, 4}, new int[4], new int[] {-1, 0, 0, 1})
            .withColumn(Batch.SCORES, new double[] {1})
            .withColumn(Batch.GROUP_IDS, List.of("a"))
            .withColumn(Batch.TOKEN_REWARDS, new double[4])
            .withColumn(Batch.ADVANTAGES, new double[4])
            .withColumn(Batch.VALUES, new double[] {9, 1, 1, 4})
            .withColumn(Batch.RETURNS, new double[] {-9, 1, 2, 4});
    Map<String, Double> metrics = new HashMap<>();
    DataMetrics.training(batch, metrics);
    assertEquals(2.0, metrics.get("critic/values/mean"));
    assertEquals(1 - (1 / 3.0) / (7 / 3.0 + 1e-5), metrics.get("critic/vf_explained_var"), 1e-12);
  }
}
