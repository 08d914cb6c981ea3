package roll.worker.actor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.scoring.GeneralizedJsd;
import roll.math.LossExample;
import roll.runtime.config.algorithm.DistillConfig;

class DistilledLossTest {
  private static final LossInput INPUT = LossExample.of(LossExample.settings("ppo"));
  private static final double[] BY_LOG_PROB = {1, 2, 3, 4, 5, 6, 7, 8};
  private static final double[] DIVERGENCES = {.7, 0, 1.4, Double.NaN, .7, 0, 0, 4.2};
  private static final LossResult RESULT =
      new LossResult(
          3, BY_LOG_PROB, new double[] {8, 7, 6, 5, 4, 3, 2, 1}, Map.of("actor/total_loss", 3.0));

  /** The mean of seven divergences, whose sum is 7, is 1; ¾ · 3 + ¼ · 1 = 2.5. */
  @Test
  void theWeightDividesTheLoss() {
    DistilledLoss mixed = of(.25);
    assertEquals(1, mixed.metrics().getOrDefault("actor/distill_loss", 0.0), 1e-12);
    assertEquals(2.5, mixed.metrics().getOrDefault("actor/total_loss", 0.0), 1e-12);
    double each = .25 / 7;
    assertArrayEquals(
        new double[] {each, each, each, 0, each, each, each, each},
        mixed.gradients().divergences(),
        1e-12);
    assertArrayEquals(
        new double[] {.75, 1.5, 2.25, 3, 3.75, 4.5, 5.25, 6}, mixed.gradients().logProbs(), 1e-12);
    assertEquals(6, mixed.gradients().entropies()[0], 1e-12);
  }

  @Test
  void withoutATeacherTheLossIsTheLoss() {
    DistilledLoss plain = DistilledLoss.of(null, RESULT, INPUT, new double[0]);
    assertEquals(RESULT.metrics(), plain.metrics());
    assertArrayEquals(BY_LOG_PROB, plain.gradients().logProbs());
    assertEquals(0, plain.gradients().divergences().length);
  }

  private static DistilledLoss of(double weight) {
    DistillConfig config = new DistillConfig(new GeneralizedJsd(.5, 1, 1, 0), weight);
    return DistilledLoss.of(config, RESULT, INPUT, DIVERGENCES);
  }
}
