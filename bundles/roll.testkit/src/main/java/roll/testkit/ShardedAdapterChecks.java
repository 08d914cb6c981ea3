package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.LossFunction;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainStrategy;

/**
 * Compares adapters trained on several ranks with those of one device, including their files.
 *
 * @param strategy the training strategy
 * @param runs the model
 * @param folder for files
 */
record ShardedAdapterChecks(TrainStrategy strategy, RankFixtures runs, Path folder) {
  private TrainSession open(int devices, Map<String, Object> options) {
    LoraConfig lora = new LoraConfig(4, 8, 0, List.of("all-linear"));
    ModelConfig model = ModelConfig.of(runs.model(), Dtype.FP32).withLora(lora);
    return strategy.open(RankFixtures.config(runs.worker("actor_train", model, devices, options)));
  }

  /** Trains on {@code devices} devices and on one, saves both, and resumes each from both. */
  void check(int devices, Map<String, Object> options, LossFunction loss) {
    TokenBatch batch = runs.batch(1);
    Path one = folder.resolve("one");
    Path several = folder.resolve("several");
    double[] alone;
    try (TrainSession session = open(1, Map.of())) {
      session.update(batch, loss).join();
      alone = said(session, batch);
      session.save(one).join();
    }
    double[] next;
    try (TrainSession session = open(devices, options)) {
      double[] before = said(session, batch);
      assertTrue(session.update(batch, loss).join().gradNorm() > 0);
      assertArrayEquals(alone, said(session, batch), 1e-5);
      assertFalse(Arrays.equals(before, alone), "the adapters have not moved");
      assertArrayEquals(before, session.scoreBase(batch).join().logProbs());
      session.save(several).join();
      session.update(batch, loss).join();
      next = said(session, batch);
    }
    assertSameFiles(one, several);
    try (TrainSession session = open(devices, options)) {
      session.restore(several).join();
      session.update(batch, loss).join();
      assertArrayEquals(next, said(session, batch));
      session.restore(one).join();
      assertArrayEquals(alone, said(session, batch), 1e-5);
    }
  }

  private static double[] said(TrainSession session, TokenBatch batch) {
    return session.score(batch).join().logProbs();
  }

  /**
   * Fails unless PEFT's two files have equal configurations, and tensors of equal names and shapes.
   */
  private static void assertSameFiles(Path one, Path several) {
    try {
      assertEquals(
          Files.readString(one.resolve("adapter_config.json")),
          Files.readString(several.resolve("adapter_config.json")));
      assertEquals(header(one), header(several));
      assertTrue(header(one).contains("self_attn.o_proj.lora_B.weight"), header(one));
      assertFalse(Files.exists(several.resolve("model.safetensors")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the header of adapter_model.safetensors: names, shapes and offsets of the tensors. */
  private static String header(Path folder) throws IOException {
    byte[] file = Files.readAllBytes(folder.resolve("adapter_model.safetensors"));
    long length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong();
    return new String(file, Long.BYTES, Math.toIntExact(length), StandardCharsets.UTF_8);
  }
}
