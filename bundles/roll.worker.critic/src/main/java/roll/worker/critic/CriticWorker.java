package roll.worker.critic;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.osgi.service.component.annotations.Component;
import roll.api.config.CriticConfig;
import roll.api.data.Batch;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.ValueSession;
import roll.api.worker.RollWorker;
import roll.api.worker.Task;
import roll.api.worker.WorkResult;
import roll.api.worker.Worker;
import roll.api.worker.WorkerContext;
import roll.api.worker.WorkerRole;

/** The critic: says what each token's state is worth, and learns it from the returns. */
@Component(name = "roll.worker.critic")
@RollWorker("critic")
public final class CriticWorker implements WorkerRole {
  @Override
  public CompletableFuture<Worker> open(WorkerContext context) {
    CriticConfig critic = Objects.requireNonNull(context.run().critic(), "no critic is configured");
    SessionConfig config = SessionConfig.of(context.run(), context.worker());
    return CompletableFuture.completedFuture(
        new Valuing(context.run().seed(), critic, context.openValues(config)));
  }

  /** The role at work. */
  private record Valuing(long seed, CriticConfig critic, ValueSession session) implements Worker {
    @Override
    public CompletableFuture<WorkResult> perform(Task task) {
      return switch (task) {
        case Task.Score score -> score(score.batch());
        case Task.Train train -> new ValueUpdate(critic, seed, session, train).run();
        case Task.Save save -> session.save(save.folder()).thenApply(nothing -> WorkResult.DONE);
        case Task.Restore restore ->
            session.restore(restore.folder()).thenApply(nothing -> WorkResult.DONE);
        default -> task.notFor("critic");
      };
    }

    private CompletableFuture<WorkResult> score(Batch batch) {
      return session
          .values(TokenBatch.ofPolicy(batch))
          .thenApply(values -> WorkResult.of(batch.withTokens(Batch.VALUES, values), Map.of()));
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
