package roll.torch.training;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.OptimizerName;
import roll.api.config.SchedulerArgs;
import roll.api.config.SchedulerArgs.Curve;
import roll.api.config.SchedulerArgs.Shares;
import roll.api.config.TrainingConfig;
import roll.api.strategy.RunPosition;

class LearningRateTest {
  /** Optimizer steps of each training step, where the planned number is 2. */
  private static final int[] UPDATES = {16, 11, 19, 3, 17, 14};

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
    TrainingConfig training =
        new TrainingConfig(8, 0, 0.9, 0.999, 1, 1, 1, name, 2, 10, args, OptimizerName.ADAMW);
    return LearningRate.of("a.training_args", name).at(training, steps);
  }

  private static TrainingConfig planned(String name, int warmup, SchedulerArgs args) {
    return new TrainingConfig(
        8, 0, 0.9, 0.999, 1, 1, 1, name, warmup, 2 * UPDATES.length, args, OptimizerName.ADAMW);
  }

  /** The rates of a run whose training steps have {@link #UPDATES}. */
  private static List<Double> rates(TrainingConfig training) {
    LearningRate schedule = LearningRate.of("a.training_args", training.scheduler());
    List<Double> rates = new ArrayList<>();
    for (int step = 0; step < UPDATES.length; step++) {
      for (int update = 0; update < UPDATES[step]; update++) {
        RunPosition at = new RunPosition(step, UPDATES.length, update, UPDATES[step]);
        rates.add(schedule.at(training, rates.size(), at));
      }
    }
    return rates;
  }

  /** The rate falls with every update, equally in each training step, and ends with the run. */
  @ParameterizedTest
  @ValueSource(strings = {"linear", "cosine"})
  void aScheduleEndsWithTheRunHoweverManyUpdatesItsStepsHave(String name) {
    List<Double> rates = rates(planned(name, 0, SchedulerArgs.STANDARD));
    falling(rates.subList(0, 80));
    for (int step = 0, made = 0; step < UPDATES.length; made += UPDATES[step++]) {
      double left = 1 - step / 6.0;
      double share = name.equals("linear") ? left : 0.5 * (1 + Math.cos(Math.PI * (1 - left)));
      assertEquals(8 * share, rates.get(made), 1e-9);
    }
    assertEquals(name.equals("linear") ? 8 / 6.0 / 14 : 0.0027972, rates.getLast(), 1e-6);
  }

  private static void falling(List<Double> rates) {
    for (int i = 1; i < rates.size(); i++) {
      assertTrue(rates.get(i) < rates.get(i - 1), i + " of " + rates);
    }
  }

  @Test
  void aWarmUpCountsTheUpdatesThatAreMade() {
    List<Double> rates = rates(planned("linear", 20, SchedulerArgs.STANDARD));
    for (int made = 0; made <= 20; made++) {
      assertEquals(8 * made / 20.0, rates.get(made), 1e-9);
    }
    falling(rates.subList(20, 80));
    assertTrue(rates.getLast() < 0.2, rates.toString());
  }

  /** A quarter of the run, 1.5 training steps: 16 updates and 5.5 of 11. */
  @Test
  void aShareForTheWarmUpIsOneOfTheRun() {
    var shares = new Shares(0.25, 0, false);
    var args = new SchedulerArgs(0.1, 0.5, 0, 0, Curve.LINEAR, Curve.COSINE, shares);
    List<Double> rates = rates(planned("linear", 3, args));
    assertEquals(8 / 1.5, rates.get(16), 1e-9);
    assertTrue(rates.get(21) < 8 && rates.get(21) > 7.5, rates.toString());
    falling(rates.subList(22, 80));
    assertTrue(rates.getLast() < 0.1 * 8 + 0.12, rates.toString());
  }

  /** Decays over a tenth of the run, or over the configured 8 updates, to a quarter. */
  @Test
  void aPlateauIsLeftWhereTheEndOfTheRunIsNear() {
    var tenth = new Shares(0, 0.1, true);
    var args = new SchedulerArgs(0.25, 0.5, 11, 1, Curve.LINEAR, Curve.LINEAR, tenth);
    List<Double> rates = rates(planned("warmup_stable_decay", 0, args));
    assertTrue(rates.subList(0, 71).stream().allMatch(rate -> rate == 8), rates.toString());
    falling(rates.subList(72, 80));
    assertTrue(rates.getLast() < 2.8, rates.toString());
    var eight = new Shares(0, 0, true);
    args = new SchedulerArgs(0.25, 0.5, 4, 8, Curve.LINEAR, Curve.LINEAR, eight);
    rates = rates(planned("warmup_stable_decay", 0, args));
    assertTrue(rates.subList(0, 72).stream().allMatch(rate -> rate == 8), rates.toString());
    falling(rates.subList(73, 80));
    assertTrue(rates.getLast() < 2.8, rates.toString());
  }

  @Test
  void aRunAsPlannedHasTheVeryRates() {
    var shares = new Shares(0.3, 0.1, true);
    var args = new SchedulerArgs(0.1, 0.5, 3, 4, Curve.LINEAR, Curve.COSINE, shares);
    for (String name : List.of("constant", "linear", "cosine", "warmup_stable_decay")) {
      TrainingConfig training = planned(name, 4, args);
      LearningRate schedule = LearningRate.of("a.training_args", name);
      for (int made = 0; made < 12; made++) {
        RunPosition at = new RunPosition(made / 2, 6, made % 2, 2);
        assertEquals(schedule.at(training, made), schedule.at(training, made, at));
      }
    }
  }

  @Test
  void refusesAnotherName() {
    String wrong = userError(() -> LearningRate.of("a.training_args", "cosin"));
    assertEquals(
        "a.training_args.lr_scheduler_type: 'cosin' is not supported (allowed: constant, linear,"
            + " cosine, warmup_stable_decay); did you mean 'cosine'?",
        wrong);
  }
}
