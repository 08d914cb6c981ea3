package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.runtime.config.LoadedConfig;

/** The templates of DeepSpeed's settings in configs/config. */
class DeepspeedTemplatesTest extends SmallConfigFixture {
  private static final Path TEMPLATES = Path.of("../../configs/config");

  @ParameterizedTest
  @CsvSource({
    "deepspeed_zero, 0, '[]'",
    "deepspeed_zero2, 2, '[]'",
    "deepspeed_zero3, 3, '[]'",
    "deepspeed_zero2_cpuoffload, 2, '[offload_optimizer, offload_param]'",
    "deepspeed_zero3_cpuoffload, 3, '[offload_optimizer]'"
  })
  void aRunTakesOneByItsName(String name, int stage, String offloaded) throws IOException {
    Files.createDirectories(folder.resolve("config"));
    Files.copy(TEMPLATES.resolve(name + ".yaml"), folder.resolve("config").resolve(name + ".yaml"));
    String strategy = "actor_train.strategy_args.strategy_config=${" + name + "}";
    for (String entry : new String[] {"config/" + name, "config/" + name + "@_here_"}) {
      LoadedConfig loaded =
          files().load("defaults: [" + entry + "]\n" + ConfigFiles.SMALL, strategy);
      Map<String, Object> options = loaded.run().roles().actorTrain().strategyOptions().values();
      assertEquals("auto", options.get("train_micro_batch_size_per_gpu"));
      assertEquals(Map.of("enabled", true), options.get("bf16"));
      Map<?, ?> zero = Objects.requireNonNull((Map<?, ?>) options.get("zero_optimization"));
      assertEquals(stage, zero.get("stage"));
      assertEquals(
          offloaded,
          zero.keySet().stream()
              .filter(key -> key.toString().startsWith("offload_"))
              .toList()
              .toString());
      for (Object bucket : zero.values()) {
        assertTrue(!(bucket instanceof String text) || text.equals("auto"), "a text: " + bucket);
      }
    }
  }
}
