package roll.core.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.MemoryPlan;
import roll.testkit.ExampleRunConfigs;

/** Notices before a run begins in a new folder. */
class StartCheckTest {
  @TempDir private Path folder;

  @Test
  void memoryThatIsLackingIsSaid() {
    RunConfig run = ExampleRunConfigs.small(folder.resolve("model"), 1);
    MemoryPlan fits = new MemoryPlan(List.of(), Map.of(), List.of(), null);
    MemoryPlan lacks =
        new MemoryPlan(List.of(), Map.of(), List.of(), "the machine cannot hold phase train");
    assertEquals(
        List.of("memory: the machine cannot hold phase train (`plan` shows all of it)"),
        StartCheck.look(run, lacks).stream().filter(line -> line.startsWith("memory")).toList());
    assertEquals(StartCheck.look(run, null), StartCheck.look(run, fits));
  }
}
