package roll.tracking.alerts;

/** Steps for which a comparison has held, and whether its alert was sent. */
final class AlertState {
  private static final int NEVER = -1;

  private final AlertCondition.Comparison comparison;
  private final int steps;
  private int since = NEVER;
  private boolean alerted;
  private boolean seen;

  /** Creates the state of a comparison that must hold for {@code steps} steps. */
  AlertState(AlertCondition.Comparison comparison, int steps) {
    this.comparison = comparison;
    this.steps = steps;
  }

  /** Returns the comparison. */
  AlertCondition.Comparison comparison() {
    return comparison;
  }

  /** Returns the first step since which the comparison has held. */
  int since() {
    return since;
  }

  /** Returns whether any step had the metric. */
  boolean seen() {
    return seen;
  }

  /**
   * Adds a value of the metric, and returns whether it is to be alerted: once, until the comparison
   * no longer holds. NaN changes nothing.
   */
  boolean add(int step, double value) {
    seen = true;
    if (Double.isNaN(value)) {
      return false;
    }
    if (!comparison.holds(value)) {
      since = NEVER;
      alerted = false;
      return false;
    }
    since = since == NEVER ? step : since;
    boolean alerts = !alerted && step - since + 1 >= steps;
    alerted |= alerts;
    return alerts;
  }
}
