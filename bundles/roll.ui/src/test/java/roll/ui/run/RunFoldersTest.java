package roll.ui.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.http.HttpRefusal;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;
import roll.ui.RunFolderMaker;
import roll.ui.control.OrderRecordingRun;

class RunFoldersTest {
  @TempDir Path root;

  private RunFolders folders(TrainingRun... runs) {
    return new RunFolders(OrderRecordingRun.trainer(List.of(runs)), List.of(root), Duration.ZERO);
  }

  private Set<String> names(RunFolders folders) {
    return folders.all().stream()
        .map(entry -> root.relativize(entry.folder()).toString())
        .collect(Collectors.toSet());
  }

  @Test
  void folders_of_runs_are_found_below_others_and_nothing_else() throws Exception {
    RunFolderMaker.finished(root.resolve("a"), 2);
    RunFolderMaker.in(root.resolve("sweep/seeds/one")).config("seed: 1").log("begun");
    RunFolderMaker.in(root.resolve("1/2/3/4")).config("seed: 1").log("at the bound");
    RunFolderMaker.in(root.resolve("1/2/3/4b/5")).config("seed: 1").log("too deep");
    RunFolderMaker.in(root.resolve("only-config")).config("seed: 1");
    RunFolderMaker.in(root.resolve("only-log")).log("begun");
    RunFolderMaker.in(root.resolve(".hidden")).config("seed: 1").log("begun");
    RunFolderMaker.finished(root.resolve("a/inside"), 2);
    Files.writeString(root.resolve("file"), "no folder");
    assertEquals(Set.of("a", "sweep/seeds/one", "1/2/3/4"), names(folders()));
  }

  /** The next scan is an hour later. */
  @Test
  void a_deleted_run_is_not_listed_before_the_next_scan() throws Exception {
    RunFolderMaker.finished(root.resolve("a"), 2);
    RunFolderMaker.finished(root.resolve("b"), 2);
    RunFolders folders =
        new RunFolders(OrderRecordingRun.trainer(List.of()), List.of(root), Duration.ofHours(1));
    for (RunEntry entry : folders.all()) {
      if (entry.folder().endsWith("a")) {
        RunDeletion.delete(entry);
        assertEquals(Set.of("a", "b"), names(folders));
        folders.forget(entry);
      }
    }
    assertEquals(Set.of("b"), names(folders));
  }

  /** The trainer has it, and an earlier one in its folder, until the process ends. */
  @Test
  void a_deleted_run_of_this_process_is_not_listed() throws Exception {
    RunFolderMaker.finished(root.resolve("a"), 2);
    RunFolders folders =
        folders(
            OrderRecordingRun.of(1, root.resolve("a"), State.FAILED),
            OrderRecordingRun.of(2, root.resolve("a"), State.FINISHED));
    RunEntry entry = folders.all().getFirst();
    RunDeletion.delete(entry);
    folders.forget(entry);
    assertEquals(Set.of(), names(folders));
    assertThrows(HttpRefusal.class, () -> folders.find(entry.id()));
  }

  /** A folder of a run is not searched, so the one inside is not listed. */
  @Test
  void a_run_around_one_that_is_running_is_not_deleted() throws Exception {
    RunFolderMaker.finished(root.resolve("a"), 2);
    Path inside = RunFolderMaker.finished(root.resolve("a/seeds/1"), 2).folder();
    Path owner = inside.resolve(".owner");
    Files.writeString(owner, "1 on another-machine since 2026-01-01T00:00:00Z\n");
    RunEntry entry = folders().all().getFirst();
    String refusal = assertThrows(HttpRefusal.class, () -> RunDeletion.delete(entry)).getMessage();
    assertTrue(refusal.startsWith("the run in " + inside + " is running"), refusal);
    Files.delete(owner);
    RunDeletion.delete(entry);
    assertEquals(Set.of(), names(folders()));
  }

  @Test
  void links_are_not_followed() throws Exception {
    Path outside = root.resolve("other");
    RunFolderMaker.finished(outside.resolve("run"), 2);
    Path inside = Files.createDirectories(root.resolve("inside"));
    Files.createSymbolicLink(inside.resolve("link"), outside);
    Files.createSymbolicLink(inside.resolve("loop"), inside);
    RunFolderMaker half = RunFolderMaker.in(inside.resolve("half")).config("seed: 1");
    Files.createSymbolicLink(half.folder().resolve("run.log"), outside.resolve("run/run.log"));
    RunFolders folders =
        new RunFolders(OrderRecordingRun.trainer(List.of()), List.of(inside), Duration.ZERO);
    assertEquals(List.of(), folders.all());
  }

  /** Output folders are often on another disk. */
  @Test
  void a_folder_that_is_given_may_be_a_link() throws Exception {
    RunFolderMaker.finished(root.resolve("disk/a"), 2);
    Path link = Files.createSymbolicLink(root.resolve("output"), root.resolve("disk"));
    RunFolders folders =
        new RunFolders(OrderRecordingRun.trainer(List.of()), List.of(link), Duration.ZERO);
    assertEquals(link.resolve("a"), folders.all().getFirst().folder());
  }

  @Test
  void a_run_that_begins_or_goes_is_seen() throws Exception {
    RunFolders folders = folders();
    assertEquals(Set.of(), names(folders));
    RunFolderMaker run = RunFolderMaker.in(root.resolve("deep/new")).config("seed: 1");
    assertEquals(Set.of(), names(folders));
    run.log("begun");
    assertEquals(Set.of("deep/new"), names(folders));
    String id = folders.all().getFirst().id();
    assertEquals(run.folder(), folders.find(id).folder());
    Files.delete(run.folder().resolve("run.log"));
    assertEquals(Set.of(), names(folders));
    assertThrows(HttpRefusal.class, () -> folders.find(id));
  }

  @Test
  void runs_of_this_process_come_first_and_once() throws Exception {
    RunFolderMaker.finished(root.resolve("a"), 2);
    RunFolderMaker.finished(root.resolve("b"), 2);
    OrderRecordingRun first = OrderRecordingRun.of(1, root.resolve("b"), State.FAILED);
    OrderRecordingRun second = OrderRecordingRun.of(2, root.resolve("b"), State.RUNNING);
    OrderRecordingRun outside =
        OrderRecordingRun.of(3, root.resolve("not/there/yet"), State.STARTING);
    RunFolders folders = folders(first, second, outside);
    List<RunEntry> all = folders.all();
    assertEquals(3, all.size());
    assertEquals(outside, all.get(0).run());
    assertEquals(second, all.get(1).run());
    assertEquals(root.resolve("a"), all.get(2).folder());
    assertNotNull(folders.find(all.get(2).id()));
  }

  @Test
  void an_id_is_that_of_the_folder() throws Exception {
    RunFolderMaker.finished(root.resolve("a"), 2);
    byte[] hash =
        MessageDigest.getInstance("SHA-256")
            .digest(root.resolve("a").toString().getBytes(StandardCharsets.UTF_8));
    String expected = HexFormat.of().formatHex(hash).substring(0, 12);
    assertEquals(expected, folders().all().getFirst().id());
  }

  @Test
  void a_folder_that_is_not_there_has_no_runs() {
    RunFolders folders =
        new RunFolders(
            OrderRecordingRun.trainer(List.of()), List.of(root.resolve("nowhere")), Duration.ZERO);
    assertEquals(List.of(), folders.all());
  }

  /** Each run is read once; then a look at what has changed is all. */
  @Test
  void a_thousand_runs_stay_quick() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      RunFolderMaker run = RunFolderMaker.in(root.resolve("group" + i / 100 + "/run" + i));
      run.config("exp_name: run" + i + "\nmax_steps: 9\n").log("begun").steps(0, 1);
      run.log("ended after step 1");
      try (var files = Files.list(run.folder())) {
        for (Path file : files.toList()) {
          Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000L * (1 + i % 7)));
        }
      }
    }
    RunSummaries summaries = new RunSummaries(folders());
    long first = nanos(summaries);
    long again = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      again = Math.min(again, nanos(summaries));
    }
    System.out.printf("1,000 runs: %.0f ms, again %.0f ms%n", first / 1e6, again / 1e6);
    assertTrue(first < 20_000_000_000L, "the first time " + first / 1e6 + " ms");
    assertTrue(again < 2_000_000_000L, "again " + again / 1e6 + " ms");
  }

  private static long nanos(RunSummaries summaries) {
    long start = System.nanoTime();
    assertEquals(1_000, summaries.all().size());
    return System.nanoTime() - start;
  }
}
