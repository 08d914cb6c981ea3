package roll.env.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;
import roll.env.terminal.generated.GeneratedTasks;
import roll.env.terminal.generated.TaskKind;

/** Generated tasks: the expert solves all, and nothing else does. */
@Tag("processes")
@NullMarked
class ExpertProcessTest {
  private static final int TASKS = 200;

  private final Terminals terminals = new Terminals();

  @TempDir Path folder;

  @AfterEach
  void close() {
    terminals.close();
  }

  @Test
  void theExpertSolvesTwoHundredFolders() throws Exception {
    for (int i = 0; i < TASKS; i++) {
      GeneratedTasks.generate(List.of(TaskKind.values()), i)
          .write(folder.resolve("task-%03d".formatted(i)));
    }
    Scenario scenario = terminals.scenario(Map.of("val_tasks", folder.toString()));
    assertEquals(TASKS, scenario.tasks().count());
    for (int i = 0; i < TASKS; i++) {
      try (Episode episode = scenario.reset(new EpisodeStart("val", 1, i, i, TASKS, 0))) {
        String task = Objects.requireNonNull(episode.facts().get("task")).toString();
        assertEquals(1, Terminals.expert(episode).reward(), task);
      }
    }
  }

  @Test
  void anUntouchedWorkspaceSolvesNothing() {
    for (String kind : TaskKind.names()) {
      Scenario scenario = terminals.scenario(Map.of("generate", kind));
      for (long seed = 0; seed < 10; seed++) {
        try (Episode episode = scenario.reset(seed)) {
          assertEquals(0, episode.step("done").reward(), kind + " " + seed);
        }
      }
    }
  }

  @Test
  void wrongSolutionsSolveNothing() throws Exception {
    refused("find", "echo none.txt > answer.txt");
    refused("find", "find . -name '*.txt' > answer.txt");
    refused("edit", "for f in */*; do echo otter > $f; done");
    refused("edit", "rm -rf *");
    refused("mend", "echo 'print(38, 9)' > program.py");
    refused("mend", "echo 'import os; os._exit(0)' > program.py");
    refused("test", "for f in *.py; do echo 'import os; os._exit(0)' > $f; done");
    refused("test", "rm test_*");
  }

  private void refused(String kind, String command) throws Exception {
    Scenario scenario = terminals.scenario(Map.of("generate", kind));
    for (long seed = 0; seed < 5; seed++) {
      try (Episode episode = scenario.reset(seed)) {
        assertTrue(Terminals.shell(episode, command).endsWith("[exit status 0]"), command);
        assertEquals(0, episode.step("done").reward(), kind + " " + seed + ": " + command);
      }
    }
  }
}
