package roll.tracking.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.testkit.TestOptions;

class ConsoleTrackerTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final AtomicLong nanos = new AtomicLong(5);

  @Test
  void aLineHoldsWhatAPersonWants() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("val/score/mean", 0.42);
    metrics.put("val/env/FrozenLake/success", 0.421875);
    metrics.put("rollout/score/mean", 0.3125);
    metrics.put("env/A/success", 0.2);
    metrics.put("env/B/success", 0.4);
    metrics.put("env/A/num_actions", 3.0);
    metrics.put("actor/pg_loss", -0.01234);
    metrics.put("critic/entropy/mean", 1.2341);
    metrics.put("critic/kl", 0.00002);
    metrics.put("actor_train/grad_norm", Double.NaN);
    metrics.put("system/tps", 12345.6);
    metrics.put("time/step_total", 1.5);
    assertEquals(
        "step   7/200  val 0.420 (success 42.2 %)  score 0.313 (success 30.0 %)"
            + "  loss -0.012  entropy 1.234  kl 2.0e-05  grad NaN  12346 tok/s  1.50 s",
        new StepLine(200).of(7, metrics));
    assertEquals("step 200/200", new StepLine(200).of(200, Map.of()));
  }

  @Test
  void aLineOfAWarmStart() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("sft/val_loss", 1.98765);
    metrics.put("sft/loss", 2.5);
    metrics.put("sft/grad_norm", 0.8712);
    metrics.put("sft/tps", 4321.4);
    metrics.put("time/step_total", 0.25);
    assertEquals(
        "step  0/90  val loss 1.988  loss 2.500  grad 0.871  4321 tok/s  0.25 s",
        new StepLine(90).of(0, metrics));
    assertEquals(
        "step 90/90  val loss 0.012", new StepLine(90).of(90, Map.of("sft/val_loss", 0.0123)));
    assertEquals(
        "step  1/90  accuracy 0.750  margin 0.125",
        new StepLine(90).of(1, Map.of("rewards/margins", 0.125, "rewards/accuracies", 0.75)));
  }

  @Test
  void whoWantsNoEscapesGetsNone() {
    assertTrue(ConsoleTracker.escapes(Map.of("TERM", "xterm")));
    assertTrue(ConsoleTracker.escapes(Map.of("NO_COLOR", "")));
    assertFalse(ConsoleTracker.escapes(Map.of("TERM", "dumb")));
    assertFalse(ConsoleTracker.escapes(Map.of("TERM", "xterm", "NO_COLOR", "1")));
  }

  @Test
  void plainLinesWhereThereIsNoTerminal() {
    try (Tracking tracking = open(false, StandardCharsets.UTF_8, 0)) {
      log(tracking, 0, 2.0);
      log(tracking, 1, 2.0);
      log(tracking, 2, 2.0);
      log(tracking, 3, 2.0);
      log(tracking, 4, 1.0);
    }
    assertEquals(
        List.of(
            "step 0/4  score 0.500  2.00 s/step, ETA 6s",
            "step 1/4  score 0.500  2.00 s/step, ETA 4s",
            "step 2/4  score 0.500  2.00 s/step, ETA 2s",
            "step 3/4  score 0.500  done in 8s",
            "step 4/4  score 0.500  done in 9s"),
        printed(StandardCharsets.UTF_8).lines().toList());
  }

  @Test
  void noticesStandAmongTheLines() {
    try (Tracking tracking = open(false, StandardCharsets.UTF_8, 0)) {
      tracking.notice("step 0 was not trained on");
    }
    assertEquals(
        "notice: step 0 was not trained on" + System.lineSeparator(),
        printed(StandardCharsets.UTF_8));
  }

  @Test
  void onATerminalTheBarIsRedrawnBelowTheLines() {
    try (Tracking tracking = open(true, StandardCharsets.UTF_8, 0)) {
      log(tracking, 0, 3.0);
    }
    String erase = "\r\u001b[K";
    assertEquals(
        String.join(
            "",
            erase + "░".repeat(30) + "   0 %  0/4  starting",
            erase + "step 0/4  score 0.500" + System.lineSeparator(),
            erase + "█".repeat(7) + "░".repeat(23) + "  25 %  1/4  3.00 s/step, ETA 9s",
            System.lineSeparator()),
        printed(StandardCharsets.UTF_8));
  }

  @Test
  void aResumedRunCountsItsOwnStepsForTheTimeLeft() {
    try (Tracking tracking = open(true, StandardCharsets.US_ASCII, 2)) {
      log(tracking, 2, 5.0);
    }
    String printed = printed(StandardCharsets.US_ASCII);
    assertTrue(printed.contains("#".repeat(15) + ".".repeat(15) + "  50 %  2/4"), printed);
    assertTrue(printed.contains("  75 %  3/4  5.00 s/step, ETA 5s"), printed);
  }

  @Test
  void durations() {
    assertEquals("59s", Progress.duration(59.4));
    assertEquals("3m 07s", Progress.duration(187));
    assertEquals("2h 05m", Progress.duration(7512));
  }

  @Test
  void itHasNoOptions() {
    ConsoleTracker tracker = new ConsoleTracker(System.out, false, nanos::get);
    assertEquals(
        "kwargs: unknown key 'hue' (allowed: none)",
        userError(() -> TestOptions.of("kwargs", Map.of("hue", true), tracker.options())));
  }

  private Tracking open(boolean terminal, Charset charset, int firstStep) {
    return new ConsoleTracker(new PrintStream(bytes, true, charset), terminal, nanos::get)
        .open(new TrackedRun("x", Path.of("."), 4, firstStep, TestOptions.defaults(List.of())));
  }

  private void log(Tracking tracking, int step, double seconds) {
    nanos.addAndGet(Math.round(seconds * 1e9));
    tracking.log(step, Map.of("rollout/score/mean", 0.5));
  }

  private String printed(Charset charset) {
    return bytes.toString(charset);
  }
}
