package roll.core.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogTest {
  @TempDir Path folder;

  private List<String> lines(String name) throws Exception {
    return Files.readAllLines(folder.resolve(name)).stream()
        .map(line -> line.substring(line.indexOf(' ') + 1))
        .toList();
  }

  /** A line has 24 bytes of time and blank, and more: two fill 50 bytes. */
  @Test
  void full_files_are_kept_five_deep() throws Exception {
    try (RunLog log = new RunLog(folder, 50)) {
      for (int i = 0; i < 14; i++) {
        log.line("line " + i);
      }
    }
    assertEquals(List.of("line 12", "line 13"), lines("run.log"));
    assertEquals(List.of("line 10", "line 11"), lines("run.log.1"));
    assertEquals(List.of("line 2", "line 3"), lines("run.log.5"));
    assertFalse(Files.exists(folder.resolve("run.log.6")));
  }

  @Test
  void goes_on_with_the_file_there_is() throws Exception {
    for (int i = 0; i < 3; i++) {
      try (RunLog log = new RunLog(folder, 50)) {
        log.line("line " + i);
      }
    }
    assertEquals(List.of("line 2"), lines("run.log"));
    assertEquals(List.of("line 0", "line 1"), lines("run.log.1"));
  }

  @Test
  void a_failure_has_its_stack() throws Exception {
    RunLog log = new RunLog(folder);
    log.failure("failed", new IllegalStateException("why"));
    log.close();
    log.line("too late is no failure");
    String text = Files.readString(folder.resolve("run.log"));
    assertTrue(text.contains(" failed\n") && text.contains("RunLogTest"), text);
  }

  @Test
  void goes_on_where_its_file_was_removed() throws Exception {
    try (RunLog log = new RunLog(folder)) {
      log.line("before");
      Files.delete(folder.resolve("run.log"));
      log.line("after");
      assertEquals(List.of("after"), lines("run.log"));
      Files.delete(folder.resolve("run.log"));
      Files.createSymbolicLink(folder.resolve("run.log"), folder.resolve("elsewhere"));
      log.line("through a link");
      assertFalse(Files.exists(folder.resolve("elsewhere")));
    }
  }
}
