package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Sampling;

/** The devices of sessions, and what the strategy says before it opens them. */
final class VllmStrategyTest {
  private static final String WHERE = "actor_infer.strategy_args.strategy_config";

  @Test
  void aModelThatCannotBeDividedAndDevicesThatAreNotThereAreRefused() {
    try (Tiny tiny = new Tiny()) {
      assertEquals(
          WHERE
              + ".tensor_parallel_size: expected a divisor of num_attention_heads 6 of "
              + Tiny.SHIPPED
              + ", found '4'",
          userError(
              () -> tiny.openOn(List.of(0, 1, 2, 3), 4, Dtype.FP32, "tensor_parallel_size", 4)));
      assertEquals(
          "there is no device 2 (device_mapping, --device): this machine is divided into 2, from 0"
              + " on; num_gpus_per_node says into how many",
          userError(() -> tiny.openOn(List.of(1, 2), 2, Dtype.FP32)));
      try (VllmSession session =
          tiny.openOn(List.of(0, 1, 2), 4, Dtype.FP32, "tensor_parallel_size", 3)) {
        assertEquals(
            4, Tiny.one(session, Tiny.request(new int[] {1}, Sampling.of(4), 1)).tokens().length);
      }
    }
  }

  @Test
  void aStrategySaysWhatItsSessionsWillDo() {
    try (Tiny tiny = new Tiny()) {
      for (int level : new int[] {0, 1, 2}) {
        Map<String, Object> given = Tiny.options("sleep_level", level);
        assertEquals(
            level > 0,
            tiny.strategy().sleeps(Tiny.worker(Path.of("."), Dtype.FP32, "vllm", given)));
      }
      for (boolean deterministic : new boolean[] {false, true}) {
        Map<String, Object> given = Tiny.options("deterministic", deterministic);
        assertEquals(
            !deterministic,
            tiny.strategy().continuous(Tiny.worker(Path.of("."), Dtype.FP32, "vllm", given)));
        assertEquals(
            !deterministic,
            tiny.strategy().continuous(Tiny.worker(Path.of("."), Dtype.FP32, "vllm", given), true));
      }
      WorkerConfig silent = Tiny.worker(Path.of("."), Dtype.FP32, "vllm", Map.of());
      assertTrue(tiny.strategy().continuous(silent, false));
      assertFalse(tiny.strategy().continuous(silent, true), "synchronous training repeats");
      assertEquals(
          List.of(
              "actor_infer.strategy_args.strategy_name: sglang is an alias of vllm",
              WHERE + ".grpc_mode has no effect: the engine runs in this process"),
          tiny.strategy()
              .notices(
                  Tiny.worker(
                      Path.of("."), Dtype.FP32, "sglang", Tiny.options("grpc_mode", true))));
    }
  }
}
