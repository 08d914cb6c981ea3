package roll.timing;

import java.util.Locale;

/** A running test class. */
final class ClassTiming {
  private final long start = System.nanoTime();
  private final ProcessUsage before = ProcessUsage.now();
  private boolean alone = true;

  /** Marks that another class runs at the same time, so that the use of the process is shared. */
  void share() {
    alone = false;
  }

  String wall() {
    return seconds((System.nanoTime() - start) / 1e9);
  }

  String processor(ProcessUsage now) {
    return alone ? seconds(now.seconds() - before.seconds()) : "-";
  }

  /** Returns whether a process was started. */
  String processes(ProcessUsage now) {
    return alone ? now.startedSince(before) : "-";
  }

  static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f", seconds);
  }
}
