package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.ValueSession;

/** Critics of every family learn, repeat and continue. */
class ValueSessionTest {
  private final Path folder;

  ValueSessionTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @ParameterizedTest
  @CsvSource({
    "qwen2, true, FP32",
    "qwen2, false, BF16",
    "llama, false, FP32",
    "llama, true, BF16",
    "qwen3, true, FP32",
    "qwen3, false, BF16"
  })
  void learnsRandomTargets(String type, boolean tied, Dtype dtype) throws IOException {
    TokenBatch batch = TinyModel.batch(1);
    double[] targets = ValueModels.targets(batch);
    try (TinyModel model = ValueModels.model(folder, type, tied);
        ValueSession session = model.openValues(dtype, 2, 1)) {
      double before = error(session, batch, targets);
      for (int i = 0; i < 10; i++) {
        assertTrue(
            session.update(batch, ValueModels.distance(batch, targets)).join().gradNorm() > 0);
      }
      assertEquals(10, session.weights().version());
      assertTrue(error(session, batch, targets) < 0.7 * before);
    }
  }

  private static double error(ValueSession session, TokenBatch batch, double[] targets) {
    double[] values = session.values(batch).join();
    return Arrays.stream(ValueModels.scored(batch))
        .mapToDouble(t -> (values[t] - targets[t]) * (values[t] - targets[t]))
        .average()
        .orElseThrow();
  }

  /** The value of t does not depend on the action at t, but all later values do. */
  @Test
  void theValueOfATokenIsThatOfTheStateBeforeIt() throws IOException {
    TokenBatch batch = TinyModel.batch(1);
    int at = batch.offsets()[1] - 3;
    int[] tokens = batch.tokens().clone();
    tokens[at] = (tokens[at] + 1) % TinyModel.VOCABULARY;
    TokenBatch other = new TokenBatch(batch.offsets(), tokens, batch.scored());
    try (TinyModel model = ValueModels.model(folder, "qwen2", true);
        ValueSession session = model.openValues(Dtype.FP32, 2, 1)) {
      double[] values = session.values(batch).join();
      double[] others = session.values(other).join();
      for (int t = 0; t < tokens.length; t++) {
        assertEquals(batch.scored()[t], values[t] != 0);
        boolean behind = t > at && t < batch.offsets()[1];
        assertEquals(!behind, Math.abs(values[t] - others[t]) < 1e-6, "token " + t);
      }
    }
  }

  @Test
  void doesNotDependOnHowTheBatchIsCut() throws IOException {
    List<double[]> one = run(Dtype.FP32, 100, 1, null);
    for (int[] cut : new int[][] {{1, 1}, {3, 1}, {2, 2}}) {
      List<double[]> other = run(Dtype.FP32, cut[0], cut[1], null);
      for (int i = 0; i < one.size(); i++) {
        assertArrayEquals(one.get(i), other.get(i), 1e-4);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void continuesBitForBit(Dtype dtype) throws IOException {
    List<double[]> whole = run(dtype, 2, 2, null);
    List<double[]> resumed = run(dtype, 2, 2, folder.resolve("checkpoint"));
    for (int i = 0; i < whole.size(); i++) {
      assertArrayEquals(whole.get(i), resumed.get(i), "step " + i);
    }
  }

  /** Values after each of six steps; with a checkpoint, the second half in a new session. */
  private List<double[]> run(Dtype dtype, int microBatch, int lanes, @Nullable Path checkpoint)
      throws IOException {
    List<double[]> values = new ArrayList<>();
    try (TinyModel model = tiny("run" + microBatch + lanes + (checkpoint == null))) {
      ValueSession session = model.openValues(dtype, microBatch, lanes);
      for (int i = 0; i < 6; i++) {
        if (checkpoint != null && i == 3) {
          session.save(checkpoint).join();
          session.close();
          session = model.openValues(dtype, microBatch, lanes);
          session.restore(checkpoint).join();
          assertEquals(3, session.weights().version());
        }
        TokenBatch batch = TinyModel.batch(i);
        session.update(batch, ValueModels.distance(batch, ValueModels.targets(batch))).join();
        values.add(session.values(TinyModel.batch(0)).join());
      }
      session.close();
    }
    return values;
  }

  private TinyModel tiny(String name) throws IOException {
    return new TinyModel(folder.resolve(name));
  }
}
