package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.InferSession;

/** Tests sessions on several devices, and refusals. */
final class DevicesTest {
  private static final String SIZE =
      "actor_infer.strategy_args.strategy_config.tensor_parallel_size: expected ";

  private final Path folder;

  DevicesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private RandomModel model(int heads, int keyHeads) throws IOException {
    return new RandomModel(
        folder,
        """
        {"model_type": "llama", "hidden_size": 24, "num_attention_heads": %d,
         "num_key_value_heads": %d, "rope_theta": 1000.0, "tie_word_embeddings": false}
        """
            .formatted(heads, keyHeads));
  }

  private InferSession open(RandomModel model, int devices, int count, int parallel) {
    return Sessions.open(
        model,
        ModelConfig.of(folder, Dtype.FP32),
        IntStream.range(0, devices).boxed().toList(),
        count,
        Map.of("tensor_parallel_size", parallel));
  }

  private String refusal(RandomModel model, int devices, int count, int parallel) {
    return userError(() -> open(model, devices, count, parallel));
  }

  @Test
  void severalComputeAsOne() throws IOException {
    try (RandomModel model = model(4, 2);
        InferSession session = open(model, 2, 3, 2)) {
      Sessions.assertScored(model.reference().logits(Sessions.TOKENS), session);
      Sessions.assertGenerated(model, session);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "4, 4, 3, num_attention_heads 4",
    "4, 2, 4, num_key_value_heads 2",
    "6, 6, 3, vocab_size 160"
  })
  void modelsThatCannotBeDividedAreRefused(int heads, int keyHeads, int parallel, String what)
      throws IOException {
    try (RandomModel model = model(heads, keyHeads)) {
      assertEquals(
          "%sa divisor of %s of %s, found '%d'".formatted(SIZE, what, folder, parallel),
          refusal(model, parallel, parallel, parallel));
    }
  }

  @Test
  void devicesThatDoNotFitAreRefused() throws IOException {
    try (RandomModel model = model(4, 2)) {
      assertEquals(
          SIZE + "a divisor of the 3 devices of device_mapping, found '2'",
          refusal(model, 3, 4, 2));
      assertEquals(
          SIZE + "1 where actor_infer has no device_mapping, found '2'", refusal(model, 0, 2, 2));
      assertEquals(
          "there is no device 2 (device_mapping, --device): this machine is divided into 2, from 0"
              + " on; num_gpus_per_node says into how many",
          refusal(model, 4, 2, 1));
    }
  }
}
