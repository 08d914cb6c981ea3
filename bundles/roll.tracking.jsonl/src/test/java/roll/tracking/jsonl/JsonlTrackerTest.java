package roll.tracking.jsonl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.testkit.TestOptions;

class JsonlTrackerTest {
  @TempDir Path folder;

  @Test
  void aLineAStepInTheOrderGiven() throws IOException {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("val/score/mean", 0.25);
    metrics.put("actor/lr", 1e-6);
    metrics.put("critic/kl", Double.NaN);
    metrics.put("actor/ratio_max", Double.POSITIVE_INFINITY);
    try (Tracking tracking = open(0)) {
      tracking.log(0, metrics);
      tracking.log(1, Map.of());
    }
    assertEquals(
        List.of(
            "{\"step\":0,\"metrics\":{\"val/score/mean\":0.25,\"actor/lr\":1.0E-6,"
                + "\"critic/kl\":null,\"actor/ratio_max\":null}}",
            "{\"step\":1,\"metrics\":{}}"),
        lines());
  }

  @Test
  void whatWasLoggedCanBeReadBeforeTheRunEnds() throws IOException {
    try (Tracking tracking = open(0)) {
      tracking.log(0, Map.of("a", 1.0));
      tracking.flush();
      assertEquals(1, lines().size());
    }
  }

  @Test
  void aFileThatIsRemovedMeanwhileIsBegunAnew() throws IOException {
    try (Tracking tracking = open(0)) {
      tracking.log(0, Map.of("a", 1.0));
      Files.delete(folder.resolve("metrics.jsonl"));
      tracking.log(1, Map.of("a", 2.0));
      tracking.flush();
      assertEquals(List.of("{\"step\":1,\"metrics\":{\"a\":2.0}}"), lines());
    }
  }

  @Test
  void linksThatWerePlantedAreNotWrittenThrough() throws IOException {
    Path victim = Files.writeString(folder.resolve("victim"), "precious");
    Files.createSymbolicLink(folder.resolve("metrics.jsonl.new"), victim);
    logged(0, 2);
    logged(1, 2);
    assertEquals(List.of(0, 1), steps());
    Files.delete(folder.resolve("metrics.jsonl"));
    Files.createSymbolicLink(folder.resolve("metrics.jsonl"), folder.resolve("new"));
    String message = userError(() -> open(0));
    assertTrue(message.endsWith("it is a link or no plain file"), message);
    assertFalse(Files.exists(folder.resolve("new")));
    assertEquals("precious", Files.readString(victim));
  }

  @Test
  void resumingRemovesTheStepsThatWillBeDoneAgain() throws IOException {
    logged(0, 5);
    logged(3, 5);
    assertEquals(List.of(0, 1, 2, 3, 4), steps());
    logged(0, 2);
    assertEquals(List.of(0, 1), steps());
  }

  @Test
  void aLineTornByACrashIsRemoved() throws IOException {
    logged(0, 3);
    append("{\"step\":3,\"met");
    logged(3, 4);
    assertEquals(List.of(0, 1, 2, 3), steps());

    append("{\"step\":4,\"met\n");
    logged(4, 5);
    assertEquals(List.of(0, 1, 2, 3, 4), steps());
  }

  @Test
  void aFileThatIsNoMetricsFileIsLeftAlone() throws IOException {
    append("shopping list\n{\"step\":1,\"metrics\":{}}\n");
    String message = userError(() -> open(1));
    assertTrue(message.contains("metrics.jsonl line 1"), message);
    assertTrue(message.contains("shopping list"), message);
    assertEquals("shopping list", lines().getFirst());
  }

  @Test
  void aFolderThatIsNotThereIsAUsersMistake() {
    TrackedRun run =
        new TrackedRun("x", folder.resolve("absent"), 1, 0, TestOptions.defaults(List.of()));
    UserException e = assertThrows(UserException.class, () -> new JsonlTracker().open(run));
    assertTrue(e.getMessage().contains("absent"), e.getMessage());
    assertFalse(e.getMessage().contains("\n"), e.getMessage());
  }

  @Test
  void itHasNoOptions() {
    assertEquals(
        "kwargs: unknown key 'file' (allowed: none)",
        userError(
            () -> TestOptions.of("kwargs", Map.of("file", "y"), new JsonlTracker().options())));
  }

  private void logged(int from, int to) {
    try (Tracking tracking = open(from)) {
      for (int step = from; step < to; step++) {
        tracking.log(step, Map.of("a", (double) step));
      }
    }
  }

  private Tracking open(int firstStep) {
    return new JsonlTracker()
        .open(new TrackedRun("x", folder, 10, firstStep, TestOptions.defaults(List.of())));
  }

  private void append(String text) throws IOException {
    Files.writeString(
        folder.resolve("metrics.jsonl"),
        text,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private List<Integer> steps() throws IOException {
    return lines().stream()
        .map(line -> Integer.parseInt(line.replaceFirst("\\{\"step\":(\\d+),.*", "$1")))
        .toList();
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(folder.resolve("metrics.jsonl"));
  }
}
