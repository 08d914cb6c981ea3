package roll.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.UserException;

class OutputFolderTest {
  @TempDir Path folder;

  @Test
  void refuses_a_folder_that_holds_a_run_unless_it_is_continued() throws Exception {
    Files.writeString(folder.resolve("metrics.jsonl"), "{}\n");
    UserException taken = assertThrows(UserException.class, () -> OutputFolder.take(folder, false));
    assertTrue(taken.getMessage().contains("resume_from_checkpoint=true"), taken.getMessage());
    assertEquals("{}\n", Files.readString(folder.resolve("metrics.jsonl")));
    OutputFolder.take(folder, true).close();
  }

  @Test
  void is_free_again_after_a_run_that_was_refused_before_it_began() throws Exception {
    OutputFolder.take(folder, false).close();
    new RunLog(folder).close();
    OutputFolder.take(folder, false).close();
  }

  @Test
  void belongs_to_one_run_at_a_time() {
    try (OutputFolder first = OutputFolder.take(folder, true)) {
      UserException taken =
          assertThrows(UserException.class, () -> OutputFolder.take(first.path(), true));
      assertTrue(taken.getMessage().contains("in use by another run"), taken.getMessage());
    }
    OutputFolder.take(folder, true).close();
  }

  @Test
  void says_when_it_cannot_be_written() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    UserException wrong =
        assertThrows(UserException.class, () -> OutputFolder.take(file.resolve("run"), false));
    assertTrue(wrong.getMessage().contains("cannot be written"), wrong.getMessage());
    assertThrows(UserException.class, () -> OutputFolder.take(file, false));
  }
}
