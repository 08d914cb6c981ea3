package roll.timing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Test classes to measure. Surefire runs no nested classes of it. */
final class Samples {
  static final double BUSY_SECONDS = 0.2;

  private static final List<Process> LEFT = new ArrayList<>();
  private static final CyclicBarrier BOTH = new CyclicBarrier(2);

  private Samples() {}

  /** Runs the tests of {@code classes} in this order; each class has one, which must pass. */
  static void run(Class<?>... classes) {
    run(false, classes);
  }

  static void runAtOnce(Class<?>... classes) {
    run(true, classes);
  }

  private static void run(boolean parallel, Class<?>... classes) {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(Stream.of(classes).map(DiscoverySelectors::selectClass).toList())
                .configurationParameter(
                    "junit.jupiter.execution.parallel.enabled", String.valueOf(parallel))
                .configurationParameter(
                    "junit.jupiter.execution.parallel.mode.classes.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter(
                    "junit.jupiter.execution.parallel.config.fixed.parallelism", "2")
                .build(),
            summary);
    assertEquals(classes.length, summary.getSummary().getTestsSucceededCount());
  }

  static final class Busy {
    @Nested
    class Inner {
      @Test
      void computes() {
        // on a busy machine it gets little processor time
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + (long) (BUSY_SECONDS * 1e9);
        long rounds = 0;
        while (threads.getCurrentThreadCpuTime() < end) {
          rounds++;
        }
        assertTrue(rounds > 0);
      }
    }
  }

  @Tag("hostile")
  static final class Hostile {
    @Test
    void passes() {}
  }

  @Tag("hostile")
  @Tag("slow")
  static final class SlowAndHostile {
    @Test
    void passes() {}
  }

  static final class HasTagged {
    @Test
    @Tag("processes")
    void passes() {}
  }

  static final class Waits {
    @Test
    void startsAProcess() throws Exception {
      assertEquals(0, new ProcessBuilder("true").start().waitFor());
    }
  }

  static final class Leaves {
    @Test
    void startsAProcess() throws IOException {
      LEFT.add(new ProcessBuilder("cat").start());
    }
  }

  /** Ends the process that {@link Leaves} started. */
  static final class Ends {
    @Test
    void endsAProcess() throws Exception {
      LEFT.removeLast().destroyForcibly().waitFor();
    }
  }

  static final class First {
    @Test
    void meetsTheOther() throws Exception {
      BOTH.await();
    }
  }

  static final class Second {
    @Test
    void meetsTheOther() throws Exception {
      BOTH.await();
    }
  }

  static final class Launches {
    @Test
    void launches() {
      run(Hostile.class);
    }
  }
}
