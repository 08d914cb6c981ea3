package roll.main;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * A command that another process of roll has started and looks after, which is said by the property
 * {@code roll.attended}. The end of its input is what a signal is elsewhere: that process closes it
 * to have the command save and end, and the system closes it when that process is killed. What a
 * terminal sends to both, Ctrl-C and its own end, is left to the other one.
 */
final class SupervisedProcess {
  /** What still counts; a second signal ends the JVM as ever. */
  static final List<String> SIGNALS = List.of("TERM");

  private static final String PROPERTY = "roll.attended";

  private SupervisedProcess() {}

  /** Whether this process is one. */
  static boolean asked() {
    return Boolean.getBoolean(PROPERTY);
  }

  /** From now on the end of {@code in} interrupts the command that {@code watch} is of. */
  static void watch(InputStream in, SignalWatch watch) {
    for (String signal : List.of("INT", "HUP")) {
      var unused = SignalWatch.register(signal, () -> {});
    }
    Thread.ofPlatform().daemon().name("roll-attended").start(() -> awaitEnd(in, watch));
  }

  private static void awaitEnd(InputStream in, SignalWatch watch) {
    try {
      while (in.read() >= 0) {
        // nothing is said here, only its end
      }
    } catch (IOException e) {
      // closed: the command is over, or nobody is there any more
    }
    watch.interrupt();
  }
}
