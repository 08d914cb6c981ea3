package roll.worker.reference;

import java.util.concurrent.CompletableFuture;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Batch;
import roll.api.strategy.InferSession;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.runtime.worker.Padding;
import roll.runtime.worker.RollWorker;
import roll.runtime.worker.Task;
import roll.runtime.worker.WorkResult;
import roll.runtime.worker.Worker;
import roll.runtime.worker.WorkerContext;
import roll.runtime.worker.WorkerRole;

/**
 * The frozen policy: scores a batch with the weights the run began with, which are those of its
 * model folder or, where that has none, random ones from the same seed as the actor's.
 */
@Component(name = "roll.worker.reference")
@RollWorker("reference")
public final class ReferenceWorker implements WorkerRole {
  @Override
  public CompletableFuture<Worker> open(WorkerContext context) {
    SessionConfig config = context.run().session(context.worker());
    return CompletableFuture.completedFuture(new Scoring(context, context.openInference(config)));
  }

  /** The role at work. */
  private record Scoring(WorkerContext context, InferSession session) implements Worker {
    @Override
    public CompletableFuture<WorkResult> perform(Task task) {
      return switch (task) {
        case Task.Score score -> score(score.batch());
        case Task.Held held ->
            CompletableFuture.completedFuture(WorkResult.ofMemory(session.held()));
        default -> task.notFor("reference");
      };
    }

    private CompletableFuture<WorkResult> score(Batch batch) {
      TokenBatch tokens = TokenBatch.ofPolicy(batch);
      Padding padding =
          Padding.scoring(
                  "reference/compute_log_probs", context.worker(), context.run().sequenceLength())
              .add(tokens);
      return session
          .score(tokens)
          .thenApply(
              scores -> WorkResult.ofReference(batch, scores).withMetrics(padding.metrics()));
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
