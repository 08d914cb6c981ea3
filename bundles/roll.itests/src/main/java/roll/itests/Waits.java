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
 * Waits for conditions in this framework by polling; Awaitility would need bundles in every
 * framework of tests.
 */
public final class Waits {
  private static final int PAUSE_MILLIS = 2;
  private static final int COLLECT_MILLIS = 100;

  private Waits() {}

  /** Waits until {@code over} is true; the test's timeout limits it. */
  public static void until(Callable<Boolean> over) throws Exception {
    while (!over.call()) {
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** Waits until {@code run} has a status that matches {@code wanted}; fails if it ends before. */
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

  /** Collects garbage until {@code gone}, for at most {@code tenths} tenths of a second. */
  public static void collect(int tenths, BooleanSupplier gone) throws InterruptedException {
    for (int i = 0; i < tenths && !gone.getAsBoolean(); i++) {
      System.gc();
      Thread.sleep(COLLECT_MILLIS);
    }
  }
}
