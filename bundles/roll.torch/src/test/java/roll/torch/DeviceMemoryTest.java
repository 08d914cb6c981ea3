package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.device.DeviceInfo;
import roll.api.strategy.SessionConfig;
import roll.runtime.option.YamlOptions;

/** The memory that {@code devices} lists is what plans and {@code gpu_memory_utilization} count. */
class DeviceMemoryTest {
  private static final long MACHINE =
      ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();

  @Test
  void aShareOfTheCoresHasItsShareOfTheMachinesMemory() {
    try (Device cpu = Device.cpu()) {
      List<DeviceInfo> cores =
          new TorchDevices(Devices.on(cpu))
              .devices().stream().filter(device -> device.kind().equals("cpu")).toList();
      for (DeviceInfo core : cores) {
        assertEquals(session(List.of(core.number())).capacity(MACHINE), core.memory());
      }
      assertEquals(MACHINE, session(List.of()).capacity(MACHINE));
    }
  }

  /** A role on {@code devices} of a machine that nothing divides. */
  private static SessionConfig session(List<Integer> devices) {
    WorkerConfig worker =
        new WorkerConfig(
            "actor_infer",
            ModelConfig.of(Path.of("model"), Dtype.FP32),
            "native",
            "vllm",
            YamlOptions.strategy("actor_infer", Map.of()),
            new TrainingConfig(0.1, 0, 0.9, 0.999, 2, 2, "constant", 0, 9),
            devices,
            16);
    return new SessionConfig(worker, 42, 1, 100);
  }
}
