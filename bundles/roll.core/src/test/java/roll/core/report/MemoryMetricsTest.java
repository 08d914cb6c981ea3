package roll.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.core.output.RunLog;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.MemoryPlan.Share;

class MemoryMetricsTest {
  private static final long MB = 1 << 20;

  private final Path folder;
  private final Map<String, Double> metrics = new TreeMap<>();

  MemoryMetricsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static SessionMemory held(int device, MemoryKind kind, long megabytes) {
    return new SessionMemory(
        device,
        Map.of(
            kind, megabytes * MB, MemoryKind.ACTIVATIONS, 9 * MB, MemoryKind.OFFLOADED, 90 * MB));
  }

  private void take(@Nullable MemoryPlan plan, List<List<SessionMemory>> turns) {
    try (RunLog log = new RunLog(folder)) {
      MemoryMetrics memoryMetrics = new MemoryMetrics(metrics, log, plan);
      turns.forEach(turn -> memoryMetrics.take("train", turn));
    }
  }

  @Test
  void rolesOfADeviceAddUpAndTheLargestTurnCounts() throws IOException {
    MemoryPlan plan =
        new MemoryPlan(
            List.of(
                new Share("train/critic", "critic", held(0, MemoryKind.GRADIENTS, 4)),
                new Share("train/actor_train", "critic", held(0, MemoryKind.GRADIENTS, 3)),
                new Share("train/actor_train", "actor_train", held(0, MemoryKind.GRADIENTS, 8)),
                new Share("trainer", "actor_train", held(0, MemoryKind.GRADIENTS, 80))),
            Map.of(0, 100 * MB),
            List.of(),
            null);
    take(
        plan,
        List.of(
            List.of(
                held(0, MemoryKind.GRADIENTS, 4),
                held(0, MemoryKind.OPTIMIZER, 3),
                held(-1, MemoryKind.PARAMETERS, 2)),
            List.of(held(0, MemoryKind.GRADIENTS, 5))));
    assertEquals(
        Map.of(
            "memory/device_0/step_train/held", 7.0,
            "memory/device_0/step_train/expected", 11.0,
            "memory/device_cpu/step_train/held", 2.0),
        metrics);
    String log = Files.readString(folder.resolve(RunLog.NAME));
    assertTrue(log.contains("memory train device 0: 7.0 MB held, 11.0 MB expected"), log);
    assertTrue(log.contains("memory train cpu: 2.0 MB held\n"), log);
  }

  @Test
  void whatIsInUseOfACardIsNotAddedUp() throws IOException {
    SessionMemory card =
        new SessionMemory(0, Map.of(MemoryKind.GRADIENTS, 4 * MB, MemoryKind.RESERVED, 700 * MB));
    take(null, List.of(List.of(card, card)));
    assertEquals(
        Map.of(
            "memory/device_0/step_train/held", 8.0,
            "memory/device_0/step_train/reserved", 700.0),
        metrics);
    String log = Files.readString(folder.resolve(RunLog.NAME));
    assertTrue(
        log.contains("memory train device 0: 8.0 MB held, 700.0 MB of the card in use\n"), log);
  }

  @Test
  void nothingIsExpectedWhereARoleDoesNotSay() {
    MemoryPlan plan =
        new MemoryPlan(
            List.of(new Share("train", "actor_train", held(0, MemoryKind.GRADIENTS, 8))),
            Map.of(0, 100 * MB),
            List.of("reference"),
            null);
    take(plan, List.of(List.of(held(0, MemoryKind.GRADIENTS, 5))));
    assertEquals(Map.of("memory/device_0/step_train/held", 5.0), metrics);
    metrics.clear();
    take(null, List.of(List.of(held(0, MemoryKind.GRADIENTS, 5))));
    assertEquals(Map.of("memory/device_0/step_train/held", 5.0), metrics);
  }
}
