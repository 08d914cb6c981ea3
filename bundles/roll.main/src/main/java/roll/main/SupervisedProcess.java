package roll.main;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * A process that another roll process started and supervises, marked by the property {@code
 * roll.attended}. The end of its standard input interrupts the command, like a signal: the parent
 * closes it to stop the command, and the system closes it when the parent is killed. SIGINT and
 * SIGHUP, which a terminal sends to both, are left to the parent.
 */
final class SupervisedProcess {
  /**
   * Signals that still interrupt the command of a supervised process; a second one ends the JVM.
   */
  static final List<String> SIGNALS = List.of("TERM");

  private static final String PROPERTY = "roll.attended";

  private SupervisedProcess() {}

  /** Returns whether this process is supervised. */
  static boolean isSupervised() {
    return Boolean.getBoolean(PROPERTY);
  }

  /** Interrupts the command of {@code watch} at the end of {@code in}. */
  static void watch(InputStream in, SignalWatch watch) {
    for (String signal : List.of("INT", "HUP")) {
      var unused = SignalWatch.register(signal, () -> {});
    }
    Thread.ofPlatform().daemon().name("roll-attended").start(() -> awaitEnd(in, watch));
  }

  private static void awaitEnd(InputStream in, SignalWatch watch) {
    try {
      while (in.read() >= 0) {
        // only the end matters
      }
    } catch (IOException e) {
      // closed: the command has ended, or the parent is gone
    }
    watch.interrupt();
  }
}
