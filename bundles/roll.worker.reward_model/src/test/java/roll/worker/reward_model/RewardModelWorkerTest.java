package roll.worker.reward_model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig;
import roll.api.scoring.ScoringSession;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.runtime.config.RunConfig;
import roll.runtime.worker.Task;
import roll.runtime.worker.Worker;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.TestWorkerContext;
import roll.testkit.UnigramModel;

@NullMarked
class RewardModelWorkerTest {
  @Test
  void answersInOrderAndTakesNoWeights() {
    var run = ExampleRunConfigs.small(Path.of("model"), 1);
    UnigramModel model = new UnigramModel(4, 2, 1);
    var stage =
        new TestWorkerContext(run, Objects.requireNonNull(run.roles().reference()))
            .withInference(c -> model);
    Worker worker = new RewardModelWorker().open(stage).join();
    List<GenerationRequest> requests = request().sequences(3);
    var answers = worker.perform(new Task.Generate(requests)).join().value();
    assertEquals(3, Objects.requireNonNull(answers).size());
    for (int i = 0; i < 3; i++) {
      var alone = model.generate(List.of(requests.get(i))).join().getFirst();
      assertEquals(List.of(alone.tokens()[0]), List.of(answers.get(i).tokens()[0]));
    }
    worker.perform(new Task.Sleep()).join();
    var refused =
        assertThrows(
            CompletionException.class,
            () -> worker.perform(new Task.TakeWeights(model.weights())).join());
    assertTrue(refused.toString().contains("has no part in TakeWeights"));
    worker.close();
    assertTrue(model.closed());
  }

  /** Gives each sequence the sum of its tokens. */
  private static final class Sums implements ScoringSession {
    private final List<Integer> batches = new ArrayList<>();
    private boolean closed;

    @Override
    public CompletableFuture<double[]> score(List<int[]> sequences) {
      batches.add(sequences.size());
      return CompletableFuture.completedFuture(
          sequences.stream().mapToDouble(s -> Arrays.stream(s).sum()).toArray());
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void aModelWithAHeadScoresInOrderAndWritesNothing() {
    RunConfig run =
        ExampleRunConfigs.withRewardModel(ExampleRunConfigs.small(Path.of("model"), 1), "rm", null);
    WorkerConfig own = Objects.requireNonNull(run.roles().byName().get("reward_models.rm"));
    Sums model = new Sums();
    Worker worker =
        new RewardModelWorker()
            .open(new TestWorkerContext(run, own).withScoring(config -> model))
            .join();
    var scores =
        worker.perform(new Task.ScoreSequences(List.of(new int[] {1, 2}, new int[] {7}))).join();
    assertArrayEquals(new double[] {3, 7}, scores.value());
    assertEquals(List.of(2), model.batches);
    worker.perform(new Task.Sleep()).join();
    assertEquals(List.of(), worker.perform(new Task.Held()).join().value());
    assertFalse(worker.performs(Task.Generate.class));
    worker.close();
    assertTrue(model.closed);
  }

  private static GenerationRequest request() {
    return new GenerationRequest(new int[] {0}, Sampling.of(2), List.of(), 7);
  }
}
