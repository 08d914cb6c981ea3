package roll.ui.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.runtime.pipeline.RunStatus;
import roll.ui.control.OrderRecordingRun;

/** The metrics of runs, summed by device. */
class ModelMemoryTest {
  private static OrderRecordingRun run(Map<String, Double> metrics) {
    return new OrderRecordingRun(1, new ArrayList<>())
        .with(
            new RunStatus(
                RunStatus.State.RUNNING, 1, 2, "", null, "", Instant.EPOCH, null, metrics));
  }

  @Test
  void ofAStepThePhaseCountsInWhichMostIsHeld() {
    Map<Integer, ModelMemory> held =
        ModelMemory.of(
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
        Map.of(
            ModelMemory.CPU, new ModelMemory(30.0, 40.0, null), 1, new ModelMemory(5.0, null, 9.0)),
        held);
  }

  @Test
  void severalRunsAddUpButACardIsCountedOnce() {
    Map<String, Double> metrics =
        Map.of("memory/device_0/step_train/held", 5.0, "memory/device_0/step_train/reserved", 9.0);
    assertEquals(
        Map.of(0, new ModelMemory(10.0, null, 9.0)),
        ModelMemory.of(List.of(run(metrics), run(metrics))));
  }
}
