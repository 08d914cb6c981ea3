package roll.worker.critic;

import java.util.concurrent.CompletableFuture;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Batch;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.ValueSession;
import roll.runtime.worker.CheckpointTasks;
import roll.runtime.worker.PaddingMetrics;
import roll.runtime.worker.RollWorker;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskHandlers;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.Worker;
import roll.runtime.worker.WorkerContext;
import roll.runtime.worker.WorkerRole;

/**
 * Worker of the critic: predicts the value of each token's state, and trains on the returns. As
 * actor_train it trains a reward model on preferences.
 */
@Component(name = "roll.worker.critic")
@RollWorker("critic")
public final class CriticWorker implements WorkerRole {
  @Override
  public CompletableFuture<Worker> open(WorkerContext context) {
    SessionConfig config = context.run().session(context.worker());
    ValueSession session = context.openValues(config);
    return CompletableFuture.completedFuture(
        new Valuing(context, session, new CheckpointTasks(session)).worker());
  }

  /** Worker of the critic after its session was opened. */
  private record Valuing(WorkerContext context, ValueSession session, CheckpointTasks saving) {
    Worker worker() {
      return new TaskHandlers(context.worker().role())
          .on(Task.Score.class, score -> score(score.batch()))
          .on(Task.Train.class, train -> new ValueUpdate(context, session, train).run())
          .saving(saving)
          .at(Task.Held.class, held -> TaskReply.of(session.peakMemory()))
          .worker(this::close);
    }

    private CompletableFuture<TaskReply<Batch>> score(Batch batch) {
      TokenBatch tokens = TokenBatch.ofPolicy(batch);
      PaddingMetrics padding =
          PaddingMetrics.scoring(
                  context.worker().role() + "/compute_values",
                  context.worker(),
                  context.run().sequenceLength())
              .add(tokens);
      return session
          .values(tokens)
          .thenApply(
              values -> new TaskReply<>(batch.withColumn(Batch.VALUES, values), padding.metrics()));
    }

    private void close() {
      saving.close();
      session.close();
    }
  }
}
