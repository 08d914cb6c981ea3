package roll.env.terminal.generated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.env.EpisodeStart;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.env.terminal.task.TaskFolder;
import roll.env.terminal.task.TerminalTask;
import roll.grid.LevelSplit;
import roll.runtime.option.YamlOptions;

/** Generated tasks depend on the seed alone. */
@NullMarked
class GeneratedTasksTest {
  private static final Option<List<String>> KINDS = Option.texts("generate", "kinds");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void equalSeedsGiveEqualTasks(TaskKind kind) {
    Set<GeneratedTask> different = new HashSet<>();
    for (long seed = 0; seed < 50; seed++) {
      GeneratedTask task = GeneratedTasks.generate(List.of(kind), seed);
      assertEquals(task, GeneratedTasks.generate(List.of(kind), seed));
      assertEquals(kind.word(), task.kind());
      different.add(task);
    }
    assertTrue(different.size() > 20, () -> different.size() + " different tasks");
  }

  @ParameterizedTest
  @EnumSource
  void aWrittenTaskIsRead(TaskKind kind) {
    GeneratedTask task = GeneratedTasks.generate(List.of(kind), 3);
    task.write(folder);
    TerminalTask read = new TaskFolder(folder, Set.of("python")).read();
    assertEquals(task.instruction(), read.instruction());
    assertEquals(task.demonstration(), read.demonstration());
    assertEquals("/app", read.start().directory());
  }

  /** An edit would be ambiguous otherwise, and a fault would not show. */
  @Test
  void everyFaultOfEveryFunctionCanBeMended() {
    for (PythonFunction function : PythonFunction.ALL) {
      for (PythonFunction.Fault fault : function.faults()) {
        assertEquals(
            1,
            function.body().stream().filter(line -> line.strip().equals(fault.right())).count(),
            fault.right());
        for (PythonFunction other : PythonFunction.ALL) {
          String text = other.definition(other.body());
          assertEquals(-1, text.indexOf(fault.wrong()), fault.wrong());
          assertNotEquals(other.equals(function), text.indexOf(fault.right()) < 0);
        }
      }
    }
  }

  @Test
  void functionsComputeWhatTheirNamesSay() {
    long[] numbers = {3, 9, 4, 8, 2, 7, 5};
    assertEquals(
        Map.of("total", 38L, "product", 60480L, "largest", 9L, "smallest", 2L, "even", 3L),
        PythonFunction.ALL.stream()
            .collect(
                java.util.stream.Collectors.toMap(
                    PythonFunction::name, function -> function.of(numbers))));
  }

  @Test
  void validationHasTasksOfItsOwn() {
    Options options =
        YamlOptions.checked(
            "env_config",
            Map.of("generate", TaskKind.names(), "val_share", 0.3),
            List.of(KINDS, LevelSplit.VAL_SHARE));
    GeneratedTasks tasks = GeneratedTasks.of(options, KINDS, 0, folder, false);
    Set<String> trained = played(tasks, "train");
    Set<String> validated = played(tasks, "val");
    assertTrue(trained.size() > 50, () -> trained.size() + " tasks");
    assertTrue(validated.size() > 50, () -> validated.size() + " tasks");
    validated.retainAll(trained);
    assertEquals(Set.of(), validated);
  }

  @Test
  void aShareOfDemonstrationsChangesNothing() {
    Options options =
        YamlOptions.checked(
            "env_config",
            Map.of("generate", TaskKind.names()),
            List.of(KINDS, LevelSplit.VAL_SHARE));
    GeneratedTasks finished =
        GeneratedTasks.of(options, KINDS, 0, folder.resolve("finished"), false);
    GeneratedTasks tasks = GeneratedTasks.of(options, KINDS, 0.6, folder.resolve("tasks"), false);
    int failing = 0;
    for (long seed = 0; seed < 200; seed++) {
      EpisodeStart start = EpisodeStart.of(seed);
      TerminalTask task = tasks.of(start);
      assertEquals(finished.of(start).instruction(), task.instruction());
      assertEquals("done", task.demonstration().getLast());
      String turns = task.demonstration().toString();
      failing += turns.contains("edit_file") || turns.contains("write_file") ? 0 : 1;
    }
    assertEquals(120, failing, 20);
  }

  private static Set<String> played(GeneratedTasks tasks, String purpose) {
    Set<String> played = new HashSet<>();
    LongStream.range(0, 100)
        .mapToObj(seed -> tasks.of(new EpisodeStart(purpose, 1, seed, seed, 100, 0)))
        .forEach(task -> played.add(task.instruction() + task.demonstration()));
    return played;
  }

  @Test
  void theOrderOfKindsIsThatOfDifficulty() {
    assertEquals(List.of("edit", "find", "mend", "test"), TaskKind.names());
    assertEquals(4, Arrays.stream(TaskKind.values()).distinct().count());
  }
}
