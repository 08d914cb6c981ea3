package roll.core.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;

class OutputFolderTest {
  @TempDir Path folder;

  @Test
  void refuses_a_folder_that_holds_a_run_unless_it_is_continued() throws Exception {
    Files.writeString(folder.resolve("metrics.jsonl"), "{}\n");
    String taken = userError(() -> OutputFolder.take(folder, false));
    assertTrue(taken.contains("resume_from_checkpoint=true"), taken);
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
  void is_as_it_was_after_a_run_that_was_refused() throws Exception {
    Path deep = folder.resolve("new/deep");
    OutputFolder.take(deep, false).end(RunLog.later(deep));
    assertFalse(Files.exists(folder.resolve("new")));

    Files.createDirectories(folder.resolve("checkpoint-1"));
    Files.writeString(folder.resolve(".lock"), "");
    Files.writeString(folder.resolve(".owner"), "7 on elsewhere\n");
    Files.writeString(folder.resolve("run.log"), "before\n");
    OutputFolder held = OutputFolder.take(folder, true);
    RunLog log = RunLog.later(folder);
    log.line("refused");
    Files.writeString(folder.resolve("checkpoint-1/new"), "x");
    held.end(log);
    assertEquals("before\n", Files.readString(folder.resolve("run.log")));
    assertEquals("7 on elsewhere\n", Files.readString(folder.resolve(".owner")));
    assertFalse(Files.exists(folder.resolve("checkpoint-1/new")));
    assertTrue(Files.exists(folder.resolve(".lock")));

    OutputFolder again = OutputFolder.take(folder, true);
    RunLog begun = RunLog.later(folder);
    begun.line("first");
    begun.begin();
    again.end(begun);
    String written = Files.readString(folder.resolve("run.log"));
    assertTrue(written.matches("(?s)before\n.* first\n"), written);
  }

  /** Files of others in the folder remain, even if its parent was created for it. */
  @Test
  void takes_nothing_along_that_is_not_its_own() throws Exception {
    Path one = folder.resolve("output/one");
    OutputFolder held = OutputFolder.take(one, false);
    Path other = Files.createDirectories(folder.resolve("output/other"));
    held.discard();
    assertTrue(Files.exists(other));
    assertFalse(Files.exists(one));
  }

  @Test
  void is_looked_at_and_left_as_it_is() throws Exception {
    Path run = folder.resolve("new/run");
    assertEquals(List.of(), OutputFolder.look(run, false));
    assertFalse(Files.exists(folder.resolve("new")));
    Files.createDirectories(run);
    Files.writeString(run.resolve("metrics.jsonl"), "{}\n");
    assertEquals(
        List.of(
            "output folder "
                + run
                + " already holds a run: to train needs resume_from_checkpoint=true, or another"
                + " exp_name or output_dir"),
        OutputFolder.look(run, false));
    assertEquals(List.of(), OutputFolder.look(run, true));
    assertThrows(UserException.class, () -> OutputFolder.requireFree(run, false));
    OutputFolder.requireFree(run, true);
    assertEquals(1, Objects.requireNonNull(run.toFile().list()).length);
    Path file = run.resolve("metrics.jsonl");
    for (Path wrong : List.of(file, file.resolve("below"))) {
      assertEquals(
          userError(() -> OutputFolder.look(wrong, false)),
          userError(() -> OutputFolder.take(wrong, false)));
    }
    try (OutputFolder _ = OutputFolder.take(run, true)) {
      assertThrows(UserException.class, () -> OutputFolder.requireFree(run, true));
    }
  }

  @Test
  void belongs_to_one_run_at_a_time() {
    try (OutputFolder first = OutputFolder.take(folder, true)) {
      String taken = userError(() -> OutputFolder.take(first.path(), true));
      assertTrue(
          taken.matches(
              ".* is in use by process " + ProcessHandle.current().pid() + " on .* since .*"),
          taken);
      assertEquals(List.of(), first.notices());
    }
    OutputFolder.take(folder, true).close();
  }

  /** Another process holds it: a program that takes the lock and is then killed. */
  @Test
  @Tag("processes")
  void is_taken_over_from_a_process_that_was_killed() throws Exception {
    Path program =
        Files.writeString(
            folder.resolve("Hold.java"),
            """
            void main(String[] folder) throws Exception {
              var open = java.nio.file.StandardOpenOption.CREATE;
              var write = java.nio.file.StandardOpenOption.WRITE;
              var place = java.nio.file.Path.of(folder[0]);
              var lock = java.nio.channels.FileChannel.open(place.resolve(".lock"), open, write).lock();
              java.nio.file.Files.writeString(place.resolve(".owner"), "7 on here since then");
              System.out.println(lock.isValid());
              Thread.sleep(100_000);
            }
            """);
    Path run = Files.createDirectory(folder.resolve("run"));
    Process holder =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                program.toString(),
                run.toString())
            .start();
    try {
      assertEquals("true", holder.inputReader(StandardCharsets.UTF_8).readLine());
      assertEquals(
          "output folder " + run + " is in use by process 7 on here since then",
          userError(() -> OutputFolder.take(run, true)));
    } finally {
      holder.destroyForcibly().waitFor();
    }
    try (OutputFolder taken = OutputFolder.take(run, true)) {
      assertEquals(
          List.of(
              "process 7 on here since then did not give back " + run + " and is gone: taken over"),
          taken.notices());
    }
    OutputFolder.take(run, false).close();
  }

  @Test
  void says_when_it_cannot_be_written() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    String wrong = userError(() -> OutputFolder.take(file.resolve("run"), false));
    assertTrue(wrong.contains("cannot be written"), wrong);
    assertThrows(UserException.class, () -> OutputFolder.take(file, false));
  }

  @Test
  void says_that_it_was_taken_away_or_replaced() throws Exception {
    Path path = folder.resolve("run");
    OutputFolder held = OutputFolder.take(path, false);
    assertNull(held.lost());
    Files.move(path, folder.resolve("moved"));
    assertEquals("was removed", held.lost());
    Files.createFile(path);
    assertEquals("was removed or replaced", held.lost());
    held.close();
    Files.delete(path);
    OutputFolder other = OutputFolder.take(path, false);
    assertNull(other.lost());
    assertEquals("was removed or replaced", held.lost());
    other.close();
  }

  /** Neither is written through them nor does a pipe stop the run. */
  @Test
  void refuses_what_others_have_planted() throws Exception {
    Path victim = Files.writeString(folder.resolve("victim"), "precious");
    Path path = Files.createDirectory(folder.resolve("run"));
    for (String name : List.of(".lock", ".owner", "run.log")) {
      Path planted = path.resolve(name);
      for (Path target : List.of(victim, folder.resolve("new"))) {
        Files.createSymbolicLink(planted, target);
        UserException link =
            assertThrows(UserException.class, () -> OutputFolder.take(path, false));
        assertTrue(link.getMessage().startsWith(planted + " is a link: "), link.getMessage());
        Files.delete(planted);
      }
      Files.createDirectory(planted);
      String other = userError(() -> OutputFolder.take(path, false));
      assertTrue(other.startsWith(planted + " is no plain file"), other);
      Files.delete(planted);
    }
    assertEquals("precious", Files.readString(victim));
    assertFalse(Files.exists(folder.resolve("new")));
  }

  /** A hard link looks like a file: the linked file keeps its content. */
  @Test
  void who_holds_it_is_written_into_a_file_of_its_own() throws Exception {
    Path victim = Files.writeString(folder.resolve("victim"), "precious");
    Path path = Files.createDirectory(folder.resolve("run"));
    Files.createLink(path.resolve(".owner"), victim);
    OutputFolder.take(path, false).close();
    assertEquals("precious", Files.readString(victim));
  }
}
