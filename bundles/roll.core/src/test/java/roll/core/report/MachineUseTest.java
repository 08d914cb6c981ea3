package roll.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class MachineUseTest {
  @Test
  @EnabledOnOs(OS.LINUX)
  void everyFigureIsInItsRange(@TempDir Path folder) {
    Map<String, Double> metrics = new TreeMap<>();
    MachineUse use = new MachineUse(folder);
    use.add(metrics);
    use.add(metrics);
    Double machine = metrics.remove("system/cpu_machine"); // none without a tick of the clock
    assertTrue(machine == null || (machine >= 0 && machine <= 1), () -> machine + "");
    assertEquals(
        Set.of("system/cpu", "system/disk_free_mb", "system/memory_available_mb"),
        metrics.keySet());
    assertTrue(metrics.get("system/cpu") >= 0, metrics::toString);
    assertTrue(metrics.get("system/memory_available_mb") > 0, metrics::toString);
    assertTrue(metrics.get("system/disk_free_mb") >= 0, metrics::toString);
  }

  /** A folder that was removed ends no step here. */
  @Test
  void aMissingFolderHasNoFigure(@TempDir Path folder) {
    Map<String, Double> metrics = new TreeMap<>();
    new MachineUse(folder.resolve("gone")).add(metrics);
    assertTrue(!metrics.containsKey("system/disk_free_mb"), metrics::toString);
  }
}
