package roll.itests;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.TrainingRun;

/**
 * Waits for what happens in this framework: by looking, and without Awaitility, whose bundle and
 * Hamcrest's would be in every framework that tests run in.
 */
public final class Waits {
  private static final int PAUSE_MILLIS = 2;
  private static final int COLLECT_MILLIS = 100;

  private Waits() {}

  /** Waits until {@code over}; the limit is the test's. */
  public static void until(Callable<Boolean> over) throws Exception {
    while (!over.call()) {
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /**
   * Waits until {@code run} is in a state that {@code wanted} takes; fails where it ends before.
   */
  public static RunStatus await(TrainingRun run, Predicate<RunStatus> wanted)
      throws InterruptedException, IOException {
    RunStatus status = run.status();
    while (!wanted.test(status)) {
      if (!status.state().active()) {
        fail("the run ended: " + status + "\n" + log(run));
      }
      Thread.sleep(PAUSE_MILLIS);
      status = run.status();
    }
    return status;
  }

  private static String log(TrainingRun run) throws IOException {
    Path log = run.folder().resolve("run.log");
    return Files.exists(log) ? Files.readString(log) : "it wrote no log";
  }

  /** Collects garbage until {@code gone}, at most so many tenths of a second. */
  public static void collect(int tenths, BooleanSupplier gone) throws InterruptedException {
    for (int i = 0; i < tenths && !gone.getAsBoolean(); i++) {
      System.gc();
      Thread.sleep(COLLECT_MILLIS);
    }
  }
}
