package roll.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.djl.engine.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig.Dtype;
import roll.model.qwen2.Qwen2Family;
import roll.torch.Device;

/** Peak memory of a training step, as reported by the system. */
class HeadMemoryTest {
  /**
   * The vocabulary of Qwen2.5 and 1,024 scored tokens: logits of all of them are 594 MiB, and a
   * head without chunks holds several of that size.
   */
  @Test
  void logitsOfAllTokensNeverExistAtOnce() {
    assumeTrue(Files.isWritable(Path.of("/proc/self/clear_refs")), "peaks cannot be measured");
    Map<String, @Nullable Object> config = new LinkedHashMap<>(BenchModel.hundredMillion());
    config.put("vocab_size", 151_936);
    config.put("hidden_size", 8);
    config.put("intermediate_size", 8);
    config.put("num_hidden_layers", 1);
    config.put("num_attention_heads", 1);
    config.put("num_key_value_heads", 1);
    BenchModel subject =
        new BenchModel(
            "words", Path.of("none"), new Qwen2Family().describe("test", config), 8, 128, 1, 1);
    try (Device device = new Device(() -> Engine.getEngine("PyTorch"), 1)) {
      PeakMemory before =
          device.call(
              () -> {
                try (TrainBench training = new TrainBench(device, subject, Dtype.FP32, false, 1)) {
                  PeakMemory start = PeakMemory.reset();
                  training.best(1);
                  return start;
                }
              });
      long above = Long.parseLong(before.above());
      assertTrue(above > 64 && above < 500, () -> above + " MiB");
    }
  }
}
