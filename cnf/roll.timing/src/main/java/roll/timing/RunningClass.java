package roll.timing;

import java.util.Locale;

/** A test class that has started. */
final class RunningClass {
  private final long start = System.nanoTime();
  private final ProcessUse before = ProcessUse.now();
  private boolean alone = true;

  /** Another class runs at the same time: what the process uses is not this one's alone. */
  void share() {
    alone = false;
  }

  String wall() {
    return seconds((System.nanoTime() - start) / 1e9);
  }

  String processor(ProcessUse now) {
    return alone ? seconds(now.seconds() - before.seconds()) : "-";
  }

  /** Whether a process was started. */
  String processes(ProcessUse now) {
    return alone ? now.startedSince(before) : "-";
  }

  static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f", seconds);
  }
}
