package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;
import roll.runtime.pipeline.RunFailure;

/** A run whose output folder is deleted reports it and loses no trained weights. */
@Tag("framework")
@Timeout(240)
class LostFolderTest {
  private final Path folder;

  LostFolderTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** An action on the folder of a run. */
  private interface FolderAction {
    void to(Path output) throws IOException;
  }

  private static void move(Path output) throws IOException {
    Files.move(output, output.resolveSibling("moved-" + output.getFileName()));
  }

  @Test
  void aFolderThatIsRemovedIsNotMadeAnewAndTheStateIsBeside() throws Exception {
    Path whole = train("whole", output -> {});
    RunFailure lost = assertThrows(RunFailure.class, () -> train("removed", LostFolderTest::move));
    Path saved = folder.resolve("removed.rescued/checkpoint-2");
    assertEquals(
        "output folder %s was removed while the run went on; the state after step 2 is in %s: resume_from_checkpoint=%2$s continues it"
            .formatted(folder.resolve("removed"), saved),
        lost.getMessage());
    Path resumed = train("resumed", output -> {}, "resume_from_checkpoint=" + saved);
    Path model = Path.of("checkpoint-4/model.safetensors");
    assertEquals(-1, Files.mismatch(whole.resolve(model), resumed.resolve(model)));
  }

  @Test
  void aNewFileInItsPlaceIsKept() throws Exception {
    RunFailure lost =
        assertThrows(
            RunFailure.class,
            () ->
                train(
                    "replaced",
                    output -> {
                      move(output);
                      Files.writeString(output, "a file");
                    }));
    assertTrue(
        lost.getMessage().contains("replaced was removed or replaced while"), lost.getMessage());
    assertEquals("a file", Files.readString(folder.resolve("replaced")));
    assertTrue(Files.exists(folder.resolve("replaced.rescued/checkpoint-2/model.safetensors")));
  }

  /** The folder is deleted after the last step. */
  @Test
  void afterTheLastStepToo() {
    RunFailure lost =
        assertThrows(RunFailure.class, () -> train("last", LostFolderTest::move, "max_steps=2"));
    assertTrue(lost.getMessage().contains("the state after step 2 is in "), lost.getMessage());
    assertThrows(
        RunFailure.class,
        () -> train("unsaved", LostFolderTest::move, "save_steps=0", "eval_steps=0"));
  }

  /** Runs with {@code deed} after the second step, and returns the run's folder. */
  private Path train(String name, FolderAction deed, String... more) throws Exception {
    Path output = folder.resolve(name);
    Tracker hand = run -> new FolderTracker(output, deed);
    try (RegisteredService _ = RegisteredService.of(Tracker.class, hand, "roll.tracker", "hand")) {
      List<String> overrides =
          SmallRuns.overrides(
              more, "exp_name=" + name, "max_steps=4", "save_steps=4", "track_with=[jsonl, hand]");
      return SmallRuns.finish(SmallRuns.start("frozen_lake.yaml", folder, overrides));
    }
  }

  /** A tracker that performs the action when the second step is logged. */
  private record FolderTracker(Path output, FolderAction deed) implements Tracking {
    @Override
    public void log(int step, Map<String, Double> metrics) {
      try {
        if (step == 1) {
          deed.to(output);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
