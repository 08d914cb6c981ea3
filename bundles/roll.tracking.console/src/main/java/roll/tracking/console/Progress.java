package roll.tracking.console;

import java.util.Locale;
import java.util.function.LongSupplier;

/** The progress of a run, and the estimated time left. */
final class Progress {
  private final int maxSteps;
  private final int firstStep;
  private final LongSupplier nanoTime;
  private final long start;
  private int done;
  private double seconds;

  /** Creates the progress of a run that begins with {@code firstStep}. */
  Progress(int maxSteps, int firstStep, LongSupplier nanoTime) {
    this.maxSteps = maxSteps;
    this.firstStep = firstStep;
    this.nanoTime = nanoTime;
    start = nanoTime.getAsLong();
    done = firstStep;
  }

  /** Records the end of step {@code step}, counted from 0. */
  void finished(int step) {
    done = Math.min(step + 1, maxSteps);
    seconds = (nanoTime.getAsLong() - start) / 1e9;
  }

  /** Returns the number of steps of the run. */
  int maxSteps() {
    return maxSteps;
  }

  /** Returns the number of completed steps, including those before a resumption. */
  int done() {
    return done;
  }

  /**
   * Returns the mean time per step since the start or resumption, and the time left; or a text if
   * unknown.
   */
  String remaining() {
    int own = done - firstStep;
    if (own <= 0) {
      return "starting";
    }
    if (done >= maxSteps) {
      return "done in " + duration(seconds);
    }
    double each = seconds / own;
    return String.format(
        Locale.ROOT, "%.2f s/step, ETA %s", each, duration(each * (maxSteps - done)));
  }

  /** Returns a duration such as {@code 42s}, {@code 3m 07s}, {@code 2h 05m}. */
  static String duration(double seconds) {
    long all = Math.round(seconds);
    if (all < 60) {
      return all + "s";
    }
    return all < 3600
        ? String.format(Locale.ROOT, "%dm %02ds", all / 60, all % 60)
        : String.format(Locale.ROOT, "%dh %02dm", all / 3600, all / 60 % 60);
  }
}
