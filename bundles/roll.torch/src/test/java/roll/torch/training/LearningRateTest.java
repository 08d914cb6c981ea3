package roll.torch.training;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.SchedulerArgs;
import roll.api.config.SchedulerArgs.Curve;
import roll.api.config.TrainingConfig;
import roll.api.option.UserException;

class LearningRateTest {
  /** Rates for a peak of 8; e.g. cosine, warm-up 2 of 10, step 4: 8 · ½(1 + cos(π·2/8)). */
  @ParameterizedTest
  @CsvSource({
    "constant, 4, 10, 0, 0",
    "constant, 4, 10, 1, 2",
    "constant, 4, 10, 4, 8",
    "constant, 4, 10, 99, 8",
    "constant, 0, 10, 0, 8",
    "linear, 0, 4, 0, 8",
    "linear, 0, 4, 1, 6",
    "linear, 2, 10, 1, 4",
    "linear, 2, 10, 2, 8",
    "linear, 2, 10, 4, 6",
    "linear, 2, 10, 10, 0",
    "linear, 2, 10, 11, 0",
    "cosine, 2, 10, 0, 0",
    "cosine, 2, 10, 2, 8",
    "cosine, 2, 10, 4, 6.8284271247",
    "cosine, 2, 10, 6, 4",
    "cosine, 2, 10, 8, 1.1715728753",
    "cosine, 2, 10, 10, 0",
    "cosine, 4, 4, 4, 8"
  })
  void followsTransformers(String name, int warmup, int total, long steps, double rate) {
    TrainingConfig training = new TrainingConfig(8, 0, 0.9, 0.999, 1, 1, name, warmup, total);
    assertEquals(rate, LearningRate.of("a.training_args", name).at(training, steps), 1e-9);
  }

  /**
   * A peak of 8, a tenth of it in the end, 2 of 10 steps of warm-up: cosine at step 4 is 0.9 · ½(1
   * + cos(π/4)) + 0.1 = 0.8681981, of a whole wave (cycles 1) 0.9 · ½(1 + cos(π/2)) + 0.1 = 0.55.
   */
  @ParameterizedTest
  @CsvSource({
    "linear, 0.5, 0, 0",
    "linear, 0.5, 1, 4",
    "linear, 0.5, 2, 8",
    "linear, 0.5, 6, 4.4",
    "linear, 0.5, 10, 0.8",
    "linear, 0.5, 99, 0.8",
    "cosine, 0.5, 1, 4",
    "cosine, 0.5, 2, 8",
    "cosine, 0.5, 4, 6.9455844123",
    "cosine, 0.5, 6, 4.4",
    "cosine, 0.5, 10, 0.8",
    "cosine, 1, 4, 4.4",
    "cosine, 1, 6, 0.8",
    "cosine, 1, 10, 8",
    "constant, 0.5, 10, 8",
  })
  void aShareOfThePeakIsLeft(String name, double cycles, long steps, double rate) {
    SchedulerArgs args = new SchedulerArgs(0.1, cycles, 0, 0, Curve.LINEAR, Curve.COSINE);
    assertEquals(rate, rate(name, args, steps), 1e-9);
  }

  /**
   * A peak of 8, a quarter of it at both ends, 2 steps up, 4 at the peak, 4 down. Up at half:
   * linear 0.5 · 0.75 + 0.25 = 0.625, 1 − √½ = 0.2928932 → 0.4696699. Down at a quarter: cosine ½(1
   * + cos(π/4)) = 0.8535534 → 0.8901650; 1 − √¼ = 0.5 → 0.625; 2 · ½^¼ − 1 = 0.6817928 → 0.7613446.
   */
  @ParameterizedTest
  @CsvSource({
    "LINEAR, LINEAR, 0, 2",
    "LINEAR, LINEAR, 1, 5",
    "COSINE, LINEAR, 1, 5",
    "SQRT, LINEAR, 1, 3.7573593129",
    "LINEAR, LINEAR, 2, 8",
    "LINEAR, LINEAR, 5, 8",
    "LINEAR, LINEAR, 6, 8",
    "LINEAR, LINEAR, 7, 6.5",
    "LINEAR, COSINE, 7, 7.1213203436",
    "LINEAR, SQRT, 7, 5",
    "LINEAR, EXPONENTIAL, 7, 6.0907569830",
    "LINEAR, COSINE, 8, 5",
    "LINEAR, SQRT, 9, 2.8038475773",
    "LINEAR, EXPONENTIAL, 10, 2",
    "LINEAR, COSINE, 10, 2",
    "LINEAR, COSINE, 99, 2",
  })
  void aPlateauIsFollowedByTheWayDown(Curve up, Curve down, long steps, double rate) {
    SchedulerArgs args = new SchedulerArgs(0.25, 0.5, 4, 4, up, down);
    assertEquals(rate, rate("warmup_stable_decay", args, steps), 1e-9);
  }

  private static double rate(String name, SchedulerArgs args, long steps) {
    TrainingConfig training = new TrainingConfig(8, 0, 0.9, 0.999, 1, 1, 1, name, 2, 10, args);
    return LearningRate.of("a.training_args", name).at(training, steps);
  }

  @Test
  void refusesAnotherName() {
    UserException wrong =
        assertThrows(UserException.class, () -> LearningRate.of("a.training_args", "cosin"));
    assertEquals(
        "a.training_args.lr_scheduler_type: 'cosin' is not supported (allowed: constant, linear,"
            + " cosine, warmup_stable_decay); did you mean 'cosine'?",
        wrong.getMessage());
  }
}
