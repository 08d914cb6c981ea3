package roll.ui.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.runtime.pipeline.RunStatus;
import roll.ui.control.OrderedRun;

/** The metrics of runs, summed by device. */
class HeldMemoryTest {
  private static OrderedRun run(Map<String, Double> metrics) {
    return new OrderedRun(1, new ArrayList<>())
        .with(
            new RunStatus(
                RunStatus.State.RUNNING, 1, 2, "", null, "", Instant.EPOCH, null, metrics));
  }

  @Test
  void ofAStepThePhaseCountsInWhichMostIsHeld() {
    Map<Integer, HeldMemory> held =
        HeldMemory.of(
            List.of(
                run(
                    Map.of(
                        "memory/device_cpu/step_rollout/held", 10.0,
                        "memory/device_cpu/step_train/held", 30.0,
                        "memory/device_cpu/step_train/expected", 40.0,
                        "memory/device_1/step_train/held", 5.0,
                        "memory/device_1/step_train/reserved", 9.0,
                        "memory/device_x/step_train/held", 9.0,
                        "memory/step_train/start", 99.0))));
    assertEquals(
        Map.of(HeldMemory.CPU, new HeldMemory(30.0, 40.0, null), 1, new HeldMemory(5.0, null, 9.0)),
        held);
  }

  @Test
  void severalRunsAddUpButACardIsCountedOnce() {
    Map<String, Double> metrics =
        Map.of("memory/device_0/step_train/held", 5.0, "memory/device_0/step_train/reserved", 9.0);
    assertEquals(
        Map.of(0, new HeldMemory(10.0, null, 9.0)),
        HeldMemory.of(List.of(run(metrics), run(metrics))));
  }
}
