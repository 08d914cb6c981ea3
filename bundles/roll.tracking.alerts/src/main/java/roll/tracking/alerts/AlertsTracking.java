package roll.tracking.alerts;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.tracking.RunEnd;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.text.OneLine;

/** The rules of one run, and their state. */
final class AlertsTracking implements Tracking {
  private final TrackedRun run;
  private final List<AlertRule> rules;
  private final Deliveries deliveries;
  private final Consumer<String> warnings;
  private final Map<String, AlertState> states = new LinkedHashMap<>();
  private boolean logged;

  /** Creates the tracking of {@code run}; closes {@code deliveries} with it. */
  AlertsTracking(
      TrackedRun run, List<AlertRule> rules, Deliveries deliveries, Consumer<String> warnings) {
    this.run = run;
    this.rules = rules;
    this.deliveries = deliveries;
    this.warnings = warnings;
    for (AlertRule rule : rules) {
      if (rule.condition() instanceof AlertCondition.Comparison comparison) {
        states.put(rule.name(), new AlertState(comparison, rule.steps()));
      }
    }
  }

  @Override
  public void log(int step, Map<String, Double> metrics) {
    logged = true;
    for (AlertRule rule : rules) {
      AlertState state = states.get(rule.name());
      Double value = state == null ? null : metrics.get(state.comparison().metric());
      if (state != null && value != null && state.add(step, value)) {
        String text = "%s since step %d, now %s".formatted(rule.condition(), state.since(), value);
        alert(rule, step, value, text);
      }
    }
  }

  @Override
  public void ended(RunEnd end) {
    for (AlertRule rule : rules) {
      if (rule.condition().equals(new AlertCondition.Ended(end.state()))) {
        String reason = end.reason().isEmpty() ? "" : ": " + end.reason();
        alert(rule, end.steps(), null, rule.condition() + reason);
      }
    }
    if (logged && end.state() == RunEnd.State.FINISHED) {
      states.forEach(this::warnIfUnseen);
    }
  }

  /** Names a metric that no step had: it may be misspelled. */
  private void warnIfUnseen(String rule, AlertState state) {
    if (!state.seen()) {
      warnings.accept(
          OneLine.of(
              "alert '%s': no step had the metric '%s'"
                  .formatted(rule, state.comparison().metric())));
    }
  }

  private void alert(AlertRule rule, int step, @Nullable Double value, String text) {
    Alert alert =
        new Alert(
            run.name(),
            run.folder(),
            rule.name(),
            rule.condition().toString(),
            step,
            value,
            OneLine.of("%s: %s: %s, step %d".formatted(run.name(), rule.name(), text, step)));
    rule.receivers().forEach(receiver -> deliveries.start(receiver, alert));
  }

  /** Does nothing: alerts are not stored on disk. */
  @Override
  public void flush() {}

  @Override
  public void close() {
    deliveries.close();
  }
}
