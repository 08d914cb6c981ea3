package roll.ui.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.listing.ListedRun;
import roll.runtime.listing.RunQuery;
import roll.ui.RunFolderMaker;
import roll.ui.control.OrderRecordingRun;

/** Three runs, filtered and ordered by their files. */
class RunSelectionTest {
  @TempDir Path root;

  @BeforeEach
  void write() throws IOException {
    run("a", 8, 0.001, "frozen_lake", "ended after step 3", 0.5, 0.9, 0.2);
    run("b", 16, 0.01, "sokoban", "ended after step 2", 0.1, 0.3, 0.4);
    run("c", 128, 0.1, "frozen_lake", "failed: disk full", -1, -2, -3);
    Files.writeString(
        root.resolve("b/notes.json"), "{\"note\":\"Too Slow\",\"tags\":[\"bad\",\"old\"],\"x\":1}");
  }

  private void run(String name, int batch, double rate, String env, String end, double... values)
      throws IOException {
    RunFolderMaker run = RunFolderMaker.in(root.resolve(name));
    run.config(
        """
        exp_name: %s
        max_steps: 3
        rollout_batch_size: %d
        actor_train: {training_args: {learning_rate: %s}}
        custom_envs: {Lake: {env_type: %s}}
        track_with: [console, jsonl]
        api_key: sk-0123456789abcdef0123456789abcdef
        """
            .formatted(name, batch, rate, env));
    for (int step = 0; step < values.length; step++) {
      run.step(step, Map.of("actor/x", values[step], "val/score/mean", 1 - values[step]));
    }
    run.log(end);
  }

  private RunSummaries summaries() {
    return new RunSummaries(
        new RunFolders(OrderRecordingRun.trainer(List.of()), List.of(root), Duration.ZERO));
  }

  private RunSelection select(RunQuery query) {
    return RunSelection.of(summaries(), query, System.nanoTime() + TimeUnit.MINUTES.toNanos(5));
  }

  private String names(String filter) {
    return names(filter, "name");
  }

  private String names(String filter, String sort) {
    return String.join(
        "",
        select(new RunQuery(filter, sort, List.of(), false)).rows().stream()
            .map(row -> row.run().name())
            .toList());
  }

  @Test
  void comparisonsOfKeysMetricsAndStateSelect() {
    assertEquals("abc", names(""));
    assertEquals("bc", names("rollout_batch_size>8"));
    assertEquals("c", names("rollout_batch_size>16"));
    assertEquals("ab", names("rollout_batch_size<=16"));
    assertEquals("ac", names("env=frozen_lake"));
    assertEquals("b", names("env!=frozen_lake"));
    assertEquals("b", names("learning_rate=1e-2"));
    assertEquals("a", names("training_args.learning_rate<0.01"));
    assertEquals("abc", names("track_with=jsonl"));
    assertEquals("", names("missing=1"));
    assertEquals("abc", names("missing!=1"));
    assertEquals("c", names("state=failed"));
    assertEquals("b", names("state=interrupted"));
    assertEquals("ac", names("state!=interrupted"));
    assertEquals("a", names("env=frozen_lake state=finished"));
    assertEquals("ab", names("actor/x>0"));
    assertEquals("a", names("max(actor/x)>=0.9"));
    assertEquals("a", names("val/score/mean=0.8"));
    assertEquals("b", names("tag=old"));
    assertEquals("b", names("note~slow"));
    assertEquals("b", names("too slow"));
    assertEquals("", names("api_key~sk"), "secrets cannot be guessed");
  }

  @Test
  void runsAreOrderedByAnyField() {
    assertEquals("cba", names("", "-rollout_batch_size"));
    assertEquals("cab", names("", "actor/x"));
    assertEquals("bac", names("", "-actor/x"));
    assertEquals("abc", names("", "-max(actor/x)"));
    assertEquals("cba", names("", "min(actor/x)"));
    assertEquals('b', names("", "tag").charAt(0), "missing values are last");
    assertEquals('b', names("", "-tag").charAt(0));
  }

  @Test
  void mistakesAreOneLine() {
    UserException wrong = assertThrows(UserException.class, () -> names("a>x"));
    assertEquals("filter: expected a number after 'a>', found 'x'", wrong.getMessage());
    assertThrows(UserException.class, () -> names("a="));
    assertThrows(UserException.class, () -> names("a".repeat(2_000)));
  }

  @Test
  void columnsHaveTheValues() {
    List<String> columns =
        List.of("rollout_batch_size", "env", "actor/x", "min(actor/x)", "max(actor/x)", "none");
    Map<String, @Nullable Object> expected = new HashMap<>();
    expected.put("rollout_batch_size", "8");
    expected.put("env", "frozen_lake");
    expected.put("actor/x", 0.2);
    expected.put("min(actor/x)", 0.2);
    expected.put("max(actor/x)", 0.9);
    expected.put("none", null);
    RunSelection.Row row = select(new RunQuery("", "name", columns, false)).rows().getFirst();
    assertEquals(expected, row.columns());
    List<ListedRun> listed =
        new FolderListing(OrderRecordingRun.trainer(List.of()))
            .list(root, new RunQuery("", "name", columns, false));
    assertEquals(expected, listed.getFirst().columns());
    assertEquals(List.of("bad", "old"), listed.get(1).tags());
  }

  /** The rest of long files is read by later requests. */
  @Test
  void whatIsNotReadInTimeIsMissingAndSaid() {
    RunSummaries summaries = summaries();
    RunQuery query = new RunQuery("", "name", List.of("max(actor/x)"), false);
    RunSelection first = RunSelection.of(summaries, query, System.nanoTime() - 1);
    assertFalse(first.complete());
    RunSelection then = first;
    for (int i = 0; i < 4 && !then.complete(); i++) {
      then = RunSelection.of(summaries, query, System.nanoTime() - 1);
    }
    assertTrue(then.complete());
    assertEquals(0.9, then.rows().getFirst().columns().get("max(actor/x)"));
  }

  @Test
  void archivedRunsAreListedOnRequest() throws IOException {
    new RunNotes("", List.of(), true).write(root.resolve("b"));
    assertTrue(Files.readString(root.resolve("b/notes.json")).contains("\"x\": 1"));
    RunSelection found = select(new RunQuery("", "name", List.of(), false));
    assertEquals(2, found.rows().size());
    assertEquals(1, found.archived());
    assertEquals(3, select(new RunQuery("", "name", List.of(), true)).rows().size());
  }

  @Test
  void whatIsNoObjectIsNotOverwritten() throws IOException {
    Path file = Files.writeString(root.resolve("a/notes.json"), "my notes");
    RunNotes notes = new RunNotes("x", List.of(), false);
    assertThrows(UserException.class, () -> notes.write(root.resolve("a")));
    assertEquals("my notes", Files.readString(file));
    try (var all = Files.list(root.resolve("a"))) {
      assertEquals(4, all.count(), "nothing is left beside it");
    }
    Files.delete(file);
    Path other = Files.writeString(root.resolve("other.json"), "{}");
    Files.createSymbolicLink(file, other);
    assertThrows(UserException.class, () -> notes.write(root.resolve("a")));
    assertEquals("{}", Files.readString(other));
  }
}
