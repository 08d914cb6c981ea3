package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.scoring.Distributions;
import roll.api.scoring.GeneralizedJsd;
import roll.api.strategy.Gradients;
import roll.api.strategy.LossFunction;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.torch.model.InferenceWeights;

/** Optimizer steps by the divergence from a frozen model. */
class DistillationUpdateTest {
  private static final GeneralizedJsd REVERSE = new GeneralizedJsd(1, 1, 1, 0);

  @AutoClose private final TinyModel model;

  DistillationUpdateTest(@TempDir Path folder) throws IOException {
    this.model = new TinyModel(folder.resolve("source"));
  }

  /** Padded, packed, in parallel: the loss sees what {@link TrainSession#divergences} measures. */
  @Test
  void theLossSeesTheDivergences() {
    InferenceWeights frozen = model.serve(model.config(Dtype.FP32, 2, Map.of(), 32));
    Distributions teacher = model.compute(frozen::distributions);
    try (TrainSession padded = model.open(Dtype.FP32, 2);
        TrainSession packed = model.openByTokens(64, 32);
        TrainSession parallel = model.open(Dtype.FP32, 2, 2)) {
      TokenBatch batch = TinyModel.batch(3);
      for (TrainSession session : new TrainSession[] {padded, packed, parallel}) {
        TinyModel.step(session, TinyModel.batch(1));
        TinyModel.step(session, TinyModel.batch(2));
        double[] measured = session.divergences(batch, teacher).join();
        assertTrue(Arrays.stream(measured).max().orElseThrow() > 1e-3);
        double[] seen = new double[measured.length];
        session.update(batch, teacher, REVERSE, divergence(batch, seen)).join();
        assertArrayEquals(measured, seen, 2e-6);
      }
    } finally {
      close(frozen);
    }
  }

  /** Later learning is undone, in the same bits after a resume. */
  @Test
  void theStudentReturnsToItsTeacherAndResumes(@TempDir Path folder) {
    InferenceWeights frozen = model.serve(model.config(Dtype.FP32, 2, Map.of(), 32));
    Distributions teacher = model.compute(frozen::distributions);
    TokenBatch batch = TinyModel.batch(3);
    try (TrainSession session = model.open(Dtype.FP32, 2);
        TrainSession resumed = model.open(Dtype.FP32, 2)) {
      for (int i = 0; i < 4; i++) {
        TinyModel.step(session, batch);
      }
      double first = sum(session.divergences(batch, teacher).join());
      for (int i = 0; i < 8; i++) {
        if (i == 3) {
          session.save(folder).join();
          resumed.restore(folder).join();
        }
        distill(session, batch, teacher);
      }
      for (int i = 3; i < 8; i++) {
        distill(resumed, batch, teacher);
      }
      double[] last = session.divergences(batch, teacher).join();
      assertTrue(sum(last) < first / 2, () -> first + " → " + sum(last));
      assertArrayEquals(last, resumed.divergences(batch, teacher).join());
    } finally {
      close(frozen);
    }
  }

  @Test
  void aModelWithoutAdaptersIsNotItsOwnTeacher() {
    try (TrainSession session = model.open(Dtype.FP32, 2)) {
      TokenBatch batch = TinyModel.batch(1);
      LossFunction loss = divergence(batch, new double[batch.tokens().length]);
      Throwable failure =
          assertThrows(
                  CompletionException.class,
                  () -> session.update(batch, null, REVERSE, loss).join())
              .getCause();
      assertTrue(failure instanceof UnsupportedOperationException, () -> failure.toString());
    }
  }

  private static void distill(TrainSession session, TokenBatch batch, Distributions teacher) {
    double[] seen = new double[batch.tokens().length];
    session.update(batch, teacher, REVERSE, divergence(batch, seen)).join();
  }

  private static double sum(double[] column) {
    return Arrays.stream(column).sum();
  }

  /** The mean divergence of the scored tokens; fills {@code seen} in the cells of the batch. */
  private static LossFunction divergence(TokenBatch batch, double[] seen) {
    long count = IntStream.range(0, seen.length).filter(t -> batch.scored()[t]).count();
    return (samples, scores) -> {
      double[] by = new double[scores.divergences().length];
      int cell = 0;
      for (int sample : samples) {
        for (int t = batch.offsets()[sample]; t < batch.offsets()[sample + 1]; t++) {
          seen[t] = scores.divergences()[cell];
          by[cell++] = batch.scored()[t] ? 1.0 / count : 0;
        }
      }
      return new Gradients(new double[by.length], new double[by.length], by);
    };
  }

  private void close(InferenceWeights frozen) {
    model.compute(
        () -> {
          frozen.close();
          return true;
        });
  }
}
