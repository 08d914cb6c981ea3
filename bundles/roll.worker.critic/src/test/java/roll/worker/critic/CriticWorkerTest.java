package roll.worker.critic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Batch;
import roll.api.strategy.RunPosition;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.TrainReport;
import roll.runtime.worker.Worker;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.TestWorkerContext;

@NullMarked
class CriticWorkerTest {
  /** Six samples: a prompt of one token, then tokens 1 or 2; states with token 1 are worth 1. */
  private static Batch batch() {
    int[] offsets = {0, 2, 5, 9, 11, 14, 18};
    int[] tokens = {0, 1, 0, 2, 1, 0, 1, 1, 2, 0, 2, 0, 1, 2, 0, 2, 2, 1};
    int[] turns = new int[tokens.length];
    double[] returns = new double[tokens.length];
    for (int t = 0; t < tokens.length; t++) {
      turns[t] = Arrays.binarySearch(offsets, t) >= 0 ? -1 : 0;
      returns[t] = tokens[t] == 1 ? 1 : -1;
    }
    return Batch.of(offsets, tokens, turns).withColumn(Batch.RETURNS, returns);
  }

  private static Worker open(ValueTable model) {
    var run = ExampleRunConfigs.small(Path.of("model"), 1);
    var critic = Objects.requireNonNull(run.roles().critic());
    return new CriticWorker()
        .open(new TestWorkerContext(run, critic.worker()).withValues(config -> model))
        .join();
  }

  private static Batch valued(Worker worker) {
    TaskReply<Batch> scored = worker.perform(new Task.Score(batch())).join();
    return scored.value();
  }

  private static double metric(TaskReply<?> result, String name) {
    return Objects.requireNonNull(result.metrics().get(name), name);
  }

  @Test
  void valuesAreAddedToTheBatchWhereThePolicyWrote() {
    ValueTable model = new ValueTable(3, 2, 2);
    Worker worker = open(model);
    worker.perform(new Task.Train(valued(worker), 0)).join();
    Batch batch = valued(worker);
    for (int t = 0; t < batch.size(); t++) {
      double expected = batch.layout().mask()[t] ? model.table()[batch.tokens()[t]] : 0;
      assertEquals(expected, batch.column(Batch.VALUES)[t]);
    }
  }

  @Test
  void trainingLearnsTheReturns() {
    ValueTable model = new ValueTable(3, 2, 0.5);
    Worker worker = open(model);
    TaskReply<TrainReport> first = worker.perform(new Task.Train(valued(worker), 0)).join();
    assertEquals(2, metric(first, "critic/backward_steps"), "mini-batches of 4 and 2 samples");
    assertEquals(0.5, metric(first, "critic/lr"));
    assertEquals(0, metric(first, "critic/value"));
    assertEquals(0, metric(first, "critic/skipped_updates"));
    assertEquals(1, metric(first, "critic/grad_norm"));
    for (int step = 1; step < 40; step++) {
      worker.perform(new Task.Train(valued(worker), step)).join();
    }
    TaskReply<TrainReport> last = worker.perform(new Task.Train(valued(worker), 40)).join();
    assertArrayEquals(new double[] {0, 1, -1}, model.table(), 1e-3);
    assertTrue(metric(last, "critic/error") < 1e-5);
    assertTrue(metric(first, "critic/error") > 0.5);
    worker.close();
    assertTrue(model.closed());
  }

  @Test
  void eachUpdateHasItsPlaceInTheRun() {
    ValueTable model = new ValueTable(3, 2, 0.5);
    Worker worker = open(model);
    worker.perform(new Task.Train(valued(worker), 3)).join();
    int steps = ExampleRunConfigs.small(Path.of("model"), 1).schedule().maxSteps();
    assertEquals(
        List.of(new RunPosition(3, steps, 0, 2), new RunPosition(3, steps, 1, 2)),
        model.positions());
  }

  @Test
  void howAMiniBatchIsCutDoesNotMatter() {
    double[][] after = new double[3][];
    int[] cuts = {1, 2, 4};
    for (int i = 0; i < cuts.length; i++) {
      ValueTable model = new ValueTable(3, cuts[i], 0.5);
      Worker worker = open(model);
      worker.perform(new Task.Train(valued(worker), 3)).join();
      after[i] = model.table();
    }
    assertArrayEquals(after[0], after[1], 1e-15);
    assertArrayEquals(after[0], after[2], 1e-15);
  }

  @Test
  void savedTrainingContinuesWhereItWas(@TempDir Path folder) {
    ValueTable once = new ValueTable(3, 2, 0.5);
    Worker worker = open(once);
    worker.perform(new Task.Train(valued(worker), 0)).join();
    worker.perform(new Task.Save(folder)).join();
    ValueTable resumed = new ValueTable(3, 2, 0.5);
    open(resumed).perform(new Task.Restore(folder)).join();
    assertArrayEquals(once.table(), resumed.table());
  }

  @Test
  void hasNoPartInPlaying() {
    var refused =
        assertThrows(
            CompletionException.class,
            () -> open(new ValueTable(3, 2, 1)).perform(new Task.ShareWeights()).join());
    assertTrue(refused.toString().contains("critic has no part in ShareWeights"));
  }
}
