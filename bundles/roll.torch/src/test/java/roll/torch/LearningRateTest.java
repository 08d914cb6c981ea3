package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.TrainingConfig;
import roll.api.config.UserException;

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

  @Test
  void refusesAnotherName() {
    UserException wrong =
        assertThrows(UserException.class, () -> LearningRate.of("a.training_args", "cosin"));
    assertEquals(
        "a.training_args.lr_scheduler_type: 'cosin' is not supported (allowed: constant, linear,"
            + " cosine); did you mean 'cosine'?",
        wrong.getMessage());
  }
}
