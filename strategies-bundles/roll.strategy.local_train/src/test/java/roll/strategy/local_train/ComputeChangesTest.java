package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.NumericsInfo.Change;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;

/** A checkpoint says where it was computed, and a session what of that is otherwise. */
class ComputeChangesTest {
  private final Path saved;
  @AutoClose private final TinyModel model;
  private final TokenBatch batch = TinyModel.batch(5);

  ComputeChangesTest(@TempDir Path folder) throws IOException {
    this.saved = folder.resolve("saved");
    this.model = new TinyModel(folder.resolve("source"));
  }

  /** A session with one step more than {@link #saved}; its scores. */
  private double[] trained() {
    try (TrainSession session = model.open(Dtype.FP32, 4)) {
      TinyModel.step(session, batch);
      session.save(saved).join();
      TinyModel.step(session, batch);
      return session.score(batch).join().logProbs();
    }
  }

  private String state() throws IOException {
    return Files.readString(saved.resolve("trainer/state.json"));
  }

  private void state(String text) throws IOException {
    Files.writeString(saved.resolve("trainer/state.json"), text);
  }

  private List<Change> changes(double[] expected) {
    try (TrainSession session = model.open(Dtype.FP32, 4)) {
      assertEquals(List.of(), session.numericsInfo().changes());
      session.restore(saved).join();
      TinyModel.step(session, batch);
      assertArrayEquals(expected, session.score(batch).join().logProbs());
      return session.numericsInfo().changes();
    }
  }

  @Test
  void theSameMachineRepeatsAndSaysNothing() throws IOException {
    double[] expected = trained();
    assertTrue(
        state()
            .matches(
                "\\{\"steps\":1,\"optimizer\":\"adamw\",\"processor\":\".+\",\"libtorch\":\".+\",\"threads\":1,\"linear\":\\{.*}}\n"),
        state());
    assertEquals(List.of(), changes(expected));
    try (TrainSession session = model.open(Dtype.FP32, 4)) {
      String here = session.numericsInfo().here();
      assertTrue(here.matches(".+, libtorch .+, 1 thread, .*linear layers by oneDNN.*"), here);
    }
  }

  @Test
  void whatIsOtherwiseIsToldAndContinued() throws IOException {
    double[] expected = trained();
    state(
        "{\"steps\": 1, \"processor\": \"AMD EPYC 9R45\", \"libtorch\": \"1.0\", \"threads\": 64,"
            + " \"linear\": {\"48x33\": \"onednn\"}}");
    List<Change> changes = changes(expected);
    assertEquals(
        List.of("AMD EPYC 9R45", "libtorch 1.0", "64 threads", "linear layers by oneDNN: 48x33"),
        changes.stream().map(Change::before).toList());
    assertEquals("1 thread", changes.get(2).here());
  }

  @Test
  void anOldCheckpointIsContinuedInSilence() throws IOException {
    double[] expected = trained();
    state("{\"steps\": 1}");
    assertEquals(List.of(), changes(expected));
  }

  @Test
  void aDamagedFileChangesNothing() throws IOException {
    trained();
    state("{\"steps\": 1, \"linear\": {\"48x32\": \"mkl\"}}");
    try (TrainSession session = model.open(Dtype.FP32, 4)) {
      double[] before = session.score(batch).join().logProbs();
      CompletionException refused =
          assertThrows(CompletionException.class, () -> session.restore(saved).join());
      assertEquals(
          saved.resolve("trainer/state.json")
              + ": linear.48x32: expected libtorch or onednn, found \"mkl\"",
          refused.getCause().getMessage());
      assertArrayEquals(before, session.score(batch).join().logProbs());
      assertEquals(0, session.weights().version());
    }
  }
}
