package roll.worker.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.WeightsHandle;
import roll.runtime.worker.EmptyResult;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.Worker;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.TestWorkerContext;
import roll.testkit.UnigramModel;

@NullMarked
class ActorInferWorkerTest {
  private final List<String> asked = new ArrayList<>();
  private final CompletableFuture<List<Generation>> writing = new CompletableFuture<>();
  private final CompletableFuture<Void> slept = new CompletableFuture<>();

  /** An engine that says what it was asked, and takes its time. */
  private final class Engine implements InferSession {
    @Override
    public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
      return writing;
    }

    @Override
    public CompletableFuture<Scores> score(TokenBatch batch) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<Void> update(WeightsHandle weights) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<Void> sleep() {
      asked.add("sleep");
      return slept;
    }

    @Override
    public CompletableFuture<Void> wake() {
      asked.add("wake");
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public Map<String, Double> metrics() {
      return Map.of("vllm/num_preemptions_max", 2.0);
    }

    @Override
    public void close() {}
  }

  private static Worker worker(InferSession session) {
    var run = ExampleRunConfigs.small(Path.of("."), 1);
    return new ActorInferWorker()
        .open(new TestWorkerContext(run, run.roles().actorInfer()).withInference(config -> session))
        .join();
  }

  @Test
  void theSessionSleepsWakesAndTellsWhatItDid() {
    Worker worker = worker(new Engine());
    CompletableFuture<TaskReply<EmptyResult>> sleeping = worker.perform(new Task.Sleep());
    assertFalse(sleeping.isDone(), "it is not asleep yet");
    slept.complete(null);
    assertSame(TaskReply.DONE, sleeping.join());
    assertSame(TaskReply.DONE, worker.perform(new Task.Wake()).join());
    assertEquals(List.of("sleep", "wake"), asked);
    assertEquals(
        Map.of("vllm/num_preemptions_max", 2.0),
        worker.perform(new Task.Measure()).join().metrics());
  }

  @Test
  void aCancelledTaskEndsTheWriting() {
    worker(new Engine()).perform(new Task.Generate(List.of())).cancel(true);
    assertTrue(writing.isCancelled());
  }

  @Test
  void aSessionWithNothingToFreeIsAskedInVain() {
    Worker worker = worker(new UnigramModel(4, 1, 1));
    assertSame(TaskReply.DONE, worker.perform(new Task.Sleep()).join());
    assertSame(TaskReply.DONE, worker.perform(new Task.Wake()).join());
    assertEquals(Map.of(), worker.perform(new Task.Measure()).join().metrics());
  }
}
