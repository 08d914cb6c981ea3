package roll.shell.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that other processes have written. */
class OutputRunsTest {
  private static final LocalDateTime TIME = LocalDateTime.of(2026, 8, 1, 12, 0);

  @TempDir Path output;

  private Path write(String run, int minute, String metrics) throws IOException {
    Path file = Files.createDirectories(output.resolve(run)).resolve("metrics.jsonl");
    Files.writeString(file, metrics);
    Instant last = TIME.plusMinutes(minute).atZone(ZoneId.systemDefault()).toInstant();
    Files.setLastModifiedTime(file, FileTime.from(last));
    return file.getParent();
  }

  private List<String> rows(Set<Path> elsewhere) {
    return OutputRuns.list(output, elsewhere)
        .replace(output + "/", "")
        .replaceAll(" +", " ")
        .lines()
        .toList();
  }

  @Test
  void theLastWrittenComesFirst() throws IOException {
    Files.createDirectories(output.resolve("no run"));
    Path other =
        write(
            "a",
            1,
            "{\"step\":0}\n{\"step\":7,\"metrics\":{\"rollout/score/mean\":0.25}}\n{\"step\":8,");
    write("sweep/b", 3, "{\"step\":3,\"metrics\":{\"val/score/mean\":1}}\n");
    write("damaged", 2, "{\"step\"\n");
    assertEquals(
        List.of(
            "folder step score last written",
            "sweep/b 3 1.000 2026-08-01 12:03",
            "damaged – – 2026-08-01 12:02",
            "a 7 0.250 2026-08-01 12:01"),
        rows(Set.of()));
    assertEquals(3, rows(Set.of(other.toAbsolutePath().normalize())).size());
  }

  /** Only the end of a long file is read, and only the last of many runs are listed. */
  @Test
  void thereIsABound() throws IOException {
    write("long", 99, "x".repeat(300_000) + "\n{\"step\":2}\n");
    write("longer", 98, "{\"step\":1,\"a\":\"" + "x".repeat(300_000) + "\"}\n");
    for (int run = 0; run < 50; run++) {
      write("run" + run, run, "");
    }
    List<String> rows = rows(Set.of());
    assertEquals("long 2 – 2026-08-01 13:39", rows.get(1));
    assertEquals("longer – – 2026-08-01 13:38", rows.get(2));
    assertEquals("… and 2 more", rows.getLast());
    assertEquals(52, rows.size());
  }

  @Test
  void withoutAFolderThereIsNothing() {
    assertTrue(OutputRuns.list(output.resolve("none"), Set.of()).isEmpty());
    assertTrue(OutputRuns.list(output, Set.of()).isEmpty());
  }
}
