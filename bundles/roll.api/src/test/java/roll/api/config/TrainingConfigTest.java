package roll.api.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class TrainingConfigTest {
  @Test
  void anOptimizerStepIsThatOfAllReplicas() {
    assertEquals(256, training(2, 16, 8).effectiveBatch());
    assertEquals(32, new TrainingConfig(0, 0, 0, 0, 2, 16, "constant", 0, 1).effectiveBatch());
    assertThrows(ArithmeticException.class, () -> training(1 << 20, 1 << 10, 8).effectiveBatch());
  }

  private static TrainingConfig training(int microBatch, int accumulation, int replicas) {
    return new TrainingConfig(
        0,
        0,
        0,
        0,
        microBatch,
        accumulation,
        replicas,
        "constant",
        0,
        1,
        SchedulerArgs.STANDARD,
        OptimizerName.ADAMW);
  }
}
