package roll.tracking.alerts;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.Options;
import roll.api.tracking.RunEnd;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.testkit.TestHttpServer;
import roll.testkit.TestOptions;
import roll.testkit.TrackerContract;

/** Alerts that a real server receives. */
@Timeout(60)
class AlertsTrackerTest extends TrackerContract {
  private static final String WHERE = "tracker_kwargs.alerts";

  @AutoClose private final TestHttpServer server = new TestHttpServer("/hook/s3cret", "ok");

  @TempDir Path folder;

  AlertsTrackerTest() throws IOException {}

  @Override
  protected Tracker tracker() {
    return new AlertsTracker();
  }

  @Override
  protected Map<String, Object> options() {
    return rule("low", "when", "rollout/score/mean > 0.5");
  }

  /** Options with one rule that posts to the server. */
  private Map<String, Object> rule(String name, Object... keys) {
    Map<String, Object> rule =
        new LinkedHashMap<>(Map.of("webhook", server.address() + "/hook/s3cret"));
    for (int i = 0; i < keys.length; i += 2) {
      rule.put(keys[i].toString(), keys[i + 1]);
    }
    return Map.of("rules", Map.of(name, rule));
  }

  private Options checked(Map<String, Object> given) {
    return TestOptions.of(WHERE, given, tracker().options());
  }

  private Tracking open(Map<String, Object> given) {
    return tracker().open(new TrackedRun("lake", folder, 9, 0, checked(given)));
  }

  @Test
  void anAlertIsSentOnceUntilItClears() {
    try (Tracking tracking = open(rule("lost", "when", "val/env/A b/success < 0.5", "for", 3))) {
      double[] values = {0.1, 0.2, Double.NaN, 0.4, 0.3, 0.5, 0.25, 0.25, 0.125};
      for (int step = 0; step < values.length; step++) {
        tracking.log(step, Map.of("val/env/A b/success", values[step]));
        tracking.log(step, Map.of("other", 0.0));
        delivered(step < 3 ? 0 : step < 8 ? 1 : 2);
      }
    }
    assertEquals(
        JsonParser.parseString(
            """
            {"run":"lake","folder":"%s","alert":"lost","when":"val/env/A b/success < 0.5","step":3,
             "value":0.4,"text":"lake: lost: val/env/A b/success < 0.5 since step 0, now 0.4, step 3"}
            """
                .formatted(folder)),
        JsonParser.parseString(server.bodies().getFirst()));
    assertEquals(
        "lake: lost: val/env/A b/success < 0.5 since step 6, now 0.125, step 8",
        text(server.bodies().getLast()));
  }

  private void delivered(int count) {
    await().until(() -> server.bodies().size() == count);
  }

  private static String text(String json) {
    return JsonParser.parseString(json).getAsJsonObject().get("text").getAsString();
  }

  @Test
  void aMetricThatIsMissingInSomeStepsCountsTheSteps() {
    AlertState state = new AlertState(new AlertCondition.Comparison("m", ">=", 2), 20);
    assertEquals(
        List.of(false, false, true, false),
        List.of(state.add(0, 2), state.add(10, 3), state.add(19, 2), state.add(20, 5)));
    assertEquals(List.of(false, false), List.of(state.add(21, 1.5), state.add(40, 2)));
  }

  @Test
  void operatorsHoldAsWritten() {
    for (String text : List.of("a < 1", "a<=1", "a >1", " a >= 1 ")) {
      var comparison = (AlertCondition.Comparison) AlertCondition.of(text).orElseThrow();
      List<Boolean> holds = new ArrayList<>();
      for (double value : new double[] {0.5, 1, 1.5}) {
        holds.add(comparison.holds(value));
      }
      assertEquals("a", comparison.metric());
      assertEquals(
          switch (comparison.operator()) {
            case "<" -> List.of(true, false, false);
            case "<=" -> List.of(true, true, false);
            case ">" -> List.of(false, false, true);
            default -> List.of(false, true, true);
          },
          holds,
          text);
    }
  }

  @Test
  void theEndOfARun() {
    for (RunEnd.State state : RunEnd.State.values()) {
      try (Tracking tracking = open(rule("end", "when", "failed"))) {
        tracking.ended(new RunEnd(state, 7, state == RunEnd.State.FAILED ? "disk is full" : ""));
      }
    }
    assertEquals(
        List.of("lake: end: failed: disk is full, step 7"),
        server.bodies().stream().map(AlertsTrackerTest::text).toList());
  }

  @Test
  void aMetricThatNoStepHadIsNamedAtTheEndOfAFinishedRun() {
    AlertReceiver receiver = new WebhookReceiver(URI.create(server.address() + "/hook/s3cret"));
    List<AlertRule> rules =
        List.of(
            new AlertRule("typo", new AlertCondition.Comparison("a/b", "<", 1), 1, List.of()),
            new AlertRule("seen", new AlertCondition.Comparison("a", ">", 1), 1, List.of(receiver)),
            new AlertRule(
                "end", new AlertCondition.Ended(RunEnd.State.FAILED), 1, List.of(receiver)));
    List<String> lines = new ArrayList<>();
    TrackedRun run = new TrackedRun("lake", folder, 9, 0, checked(options()));
    for (RunEnd.State state : RunEnd.State.values()) {
      Deliveries deliveries = new Deliveries(Duration.ofSeconds(20), lines::add);
      try (Tracking tracking = new AlertsTracking(run, rules, deliveries, lines::add)) {
        tracking.log(0, Map.of("a", 0.5));
        tracking.ended(new RunEnd(state, 1, ""));
      }
    }
    try (Tracking resumed =
        new AlertsTracking(
            run, rules, new Deliveries(Duration.ofSeconds(20), lines::add), lines::add)) {
      resumed.ended(new RunEnd(RunEnd.State.FINISHED, 9, ""));
    }
    assertEquals(List.of("alert 'typo': no step had the metric 'a/b'"), lines);
  }

  @Test
  void wrongRulesAreRefused() {
    Tracker tracker = tracker();
    Map<String, Map<String, Object>> refused =
        Map.of(
            WHERE + ".rules: expected at least one rule",
            Map.of(),
            WHERE
                + ".rules.x.when: expected a metric, <, <=, > or >=, and a number; or finished,"
                + " interrupted or failed, found 'loss == 3'",
            rule("x", "when", "loss == 3"),
            WHERE + ".rules.x.for: expected no steps with the end of a run, found '2'",
            rule("x", "when", "finished", "for", 2),
            WHERE + ".rules.x.webhook: expected an address with http or https",
            rule("x", "when", "failed", "webhook", "ftp://host"),
            WHERE + ".rules.x: expected run, webhook or both",
            Map.of("rules", Map.of("x", Map.of("when", "failed"))),
            WHERE + ".rules.x.run: expected a list that begins with a program, found '[]'",
            rule("x", "when", "failed", "run", List.of()));
    refused.forEach(
        (message, given) -> assertEquals(message, userError(() -> tracker.check(checked(given)))));
    assertDoesNotThrow(() -> tracker.check(checked(options())));
  }

  @Test
  void aReceiverThatHangsOrRefusesCostsALine() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    AlertReceiver receiver = new WebhookReceiver(URI.create(server.address() + "/hook/s3cret"));
    Alert alert = new Alert("lake", folder, "lost", "failed", 1, null, "text");
    server.answers((exchange, number) -> hangs.await());
    try (Deliveries deliveries = new Deliveries(Duration.ofMillis(300), lines::add)) {
      deliveries.start(receiver, alert);
      deliveries.start(receiver, alert);
    }
    hangs.countDown();
    server.answers(404, "");
    try (Deliveries deliveries = new Deliveries(Duration.ofSeconds(20), lines::add)) {
      deliveries.start(receiver, alert);
    }
    String begin = "alert 'lost' was not delivered to localhost: ";
    assertEquals(
        List.of(
            begin + "its last alert is still being delivered",
            begin + "it did not answer within 0.3 s",
            begin + "it answered 404"),
        lines);
  }
}
