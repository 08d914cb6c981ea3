package roll.ui.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.ui.RunFolderMaker;
import roll.ui.run.RunHistory.Swap;

/** The history in run.log, with lines as a run writes them. */
class RunHistoryTest {
  @TempDir Path folder;

  @Test
  void swaps_notices_and_what_served_are_found() throws Exception {
    RunFolderMaker.finished(folder, 10);
    RunHistory.Events told = new RunHistory(folder).events();
    Swap swap = told.swaps().getFirst();
    assertEquals(1, told.swaps().size());
    assertEquals("loss ppo → gspo", swap.line());
    assertEquals(5, swap.step());
    long time =
        LocalDateTime.of(2026, 11, 24, 9, 0, 12, 125_000_000)
            .atZone(ZoneId.systemDefault())
            .toInstant()
            .toEpochMilli();
    assertEquals(time, swap.time());
    assertEquals(
        List.of("notice: key 'gamma' has no effect here: adv_estimator grpo does not read it"),
        told.notices());
    assertEquals(List.of("roll.estimator.grpo 0.2.0", "roll.loss.gspo 0.2.0"), told.served());
  }

  @Test
  void a_log_that_goes_on_in_another_file_is_followed() throws Exception {
    RunFolderMaker run = RunFolderMaker.in(folder).log("from step 1 on: loss ppo → gspo");
    RunHistory history = new RunHistory(folder);
    assertEquals(1, history.events().swaps().size());
    run.log("from step 2 on: loss gspo → ppo");
    Files.move(folder.resolve("run.log"), folder.resolve("run.log.1"));
    run.log("from step 3 on: estimator grpo → rloo");
    assertEquals(List.of(1, 2, 3), history.events().swaps().stream().map(Swap::step).toList());
    assertEquals(
        List.of(1, 2, 3),
        new RunHistory(folder).events().swaps().stream().map(Swap::step).toList());
  }

  @Test
  void failures_are_told_without_their_stack() throws Exception {
    RunFolderMaker run = RunFolderMaker.in(folder).log("step 3: environment lake failed: why");
    run.log("java.lang.IllegalStateException: why\n\tat roll.Lake.step(Lake.java:1)");
    run.log("failed: the disk is full");
    assertEquals(
        List.of("step 3: environment lake failed: why", "failed: the disk is full"),
        new RunHistory(folder).events().notices());
    RunLog.Ends ends = RunLog.ends(folder);
    assertEquals("failed: the disk is full", ends.failure());
    assertNotNull(ends.ended());
  }

  @Test
  void a_log_that_just_stops_does_not_say_that_the_run_ended() throws Exception {
    RunFolderMaker.in(folder).log("begun").log("phase rollout 1.0 s, 80 MB");
    RunLog.Ends ends = RunLog.ends(folder);
    assertNotNull(ends.started());
    assertNull(ends.ended());
    assertNull(ends.failure());
  }

  @Test
  void the_end_of_a_log_is_read_across_files() throws Exception {
    RunFolderMaker run = RunFolderMaker.in(folder);
    for (int i = 0; i < 10; i++) {
      run.log("line " + i);
      if (i == 5) {
        Files.move(folder.resolve("run.log"), folder.resolve("run.log.1"));
      }
    }
    List<String> last = RunLog.last(folder, 6);
    assertEquals(6, last.size());
    assertEquals("line 4", last.getFirst().substring(last.getFirst().indexOf(' ') + 1));
    assertEquals(10, RunLog.last(folder, 100).size());
  }
}
