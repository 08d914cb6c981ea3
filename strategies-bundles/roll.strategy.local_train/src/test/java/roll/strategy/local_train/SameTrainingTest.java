package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;

/** The same batches train the same, however they are cut, and over a checkpoint. */
class SameTrainingTest {
  private final Path folder;
  @AutoClose private final TinyModel model;

  SameTrainingTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.model = new TinyModel(folder.resolve("source"));
  }

  @Test
  void doesNotDependOnTheMicroBatch() {
    TokenBatch batch = TinyModel.batch(2);
    List<Supplier<TrainSession>> cuts =
        List.of(
            () -> model.open(Dtype.FP32, 1),
            () -> model.open(Dtype.FP32, 3),
            () -> model.open(Dtype.FP32, 100),
            () -> model.openByTokens(45, 25),
            () -> model.openByTokens(1, 1));
    double[] norms = new double[cuts.size()];
    double[][] scores = new double[cuts.size()][];
    for (int i = 0; i < cuts.size(); i++) {
      try (TrainSession session = cuts.get(i).get()) {
        norms[i] = TinyModel.step(session, batch).gradNorm();
        scores[i] = session.score(batch).join().logProbs();
      }
    }
    for (int i = 1; i < cuts.size(); i++) {
      assertEquals(norms[0], norms[i], 1e-5 * norms[0]);
      for (int t = 0; t < scores[0].length; t++) {
        assertEquals(scores[0][t], scores[i][t], 1e-5 * Math.abs(scores[0][t]));
      }
    }
  }

  @Test
  void microBatchesAtOnceGiveTheSame() {
    List<double[]> one = run(Dtype.FP32, 3, 1);
    for (int lanes : new int[] {2, 3}) {
      List<double[]> some = run(Dtype.FP32, 3, lanes);
      assertSame(some, run(Dtype.FP32, 3, lanes));
      for (int i = 0; i < one.size(); i++) {
        assertArrayEquals(one.get(i), some.get(i), 1e-4);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void continuesBitForBit(Dtype dtype) throws IOException {
    List<double[]> whole = run(dtype, 6, 2);
    assertSame(whole, run(dtype, 6, 2));
    assertSame(whole, run(dtype, 6, 2, folder.resolve("checkpoint")));
  }

  private List<double[]> run(Dtype dtype, int steps, int lanes) {
    return run(dtype, steps, lanes, null);
  }

  /**
   * Scores after each of {@code steps} steps; with a checkpoint, the second half in a new session.
   */
  private List<double[]> run(Dtype dtype, int steps, int lanes, @Nullable Path checkpoint) {
    List<double[]> scores = new ArrayList<>();
    TrainSession session = model.open(dtype, 2, lanes);
    try {
      for (int i = 0; i < steps; i++) {
        if (checkpoint != null && i == steps / 2) {
          session.save(checkpoint).join();
          session.close();
          session = model.open(dtype, 2, lanes);
          session.restore(checkpoint).join();
          assertEquals(i, session.weights().version());
        }
        scores.add(new double[] {TinyModel.step(session, TinyModel.batch(i)).learningRate()});
        scores.add(session.score(TinyModel.batch(0)).join().logProbs());
      }
      return scores;
    } finally {
      session.close();
    }
  }

  private static void assertSame(List<double[]> expected, List<double[]> found) {
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i), found.get(i), "step " + i / 2);
    }
  }
}
