package roll.tracking.alerts;

import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.api.option.UserException;
import roll.api.tracking.RollTracker;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;

/** Runs commands and posts to web hooks when a metric crosses a bound or a run ends. */
@Component(name = "roll.tracking.alerts")
@RollTracker("alerts")
public final class AlertsTracker implements Tracker {
  private static final Logger LOG = LoggerFactory.getLogger("roll.tracking.alerts");
  private static final double LONGEST = 600;

  private static final Option<RawOptions> RULES =
      Option.nested("rules", "rules by name, each with the options below");
  private static final Option<Double> TIMEOUT =
      Option.number("timeout", 0.1, LONGEST, "seconds that a delivery may take").withDefault(10.0);

  @Override
  public List<Option<?>> options() {
    return List.of(RULES, TIMEOUT);
  }

  @Override
  public void check(Options options) {
    var unused = rules(options);
  }

  @Override
  public Tracking open(TrackedRun run) {
    Duration limit = Duration.ofMillis((long) (run.options().get(TIMEOUT) * 1000));
    return new AlertsTracking(
        run, rules(run.options()), new Deliveries(limit, LOG::warn), LOG::warn);
  }

  private static List<AlertRule> rules(Options options) {
    List<AlertRule> rules =
        options.get(RULES).parts().entrySet().stream()
            .map(rule -> AlertRule.of(rule.getKey(), rule.getValue()))
            .toList();
    if (rules.isEmpty()) {
      throw new UserException(options.where() + ".rules: expected at least one rule");
    }
    return rules;
  }
}
