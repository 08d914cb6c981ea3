package roll.worker.reward_model;

import java.util.concurrent.CompletableFuture;
import org.osgi.service.component.annotations.Component;
import roll.api.strategy.Calls;
import roll.api.strategy.InferSession;
import roll.api.strategy.SessionConfig;
import roll.runtime.worker.RollWorker;
import roll.runtime.worker.Task;
import roll.runtime.worker.WorkResult;
import roll.runtime.worker.Worker;
import roll.runtime.worker.WorkerContext;
import roll.runtime.worker.WorkerRole;

/**
 * A frozen model that rewards ask, an entry of {@code reward_models}: it answers with the weights
 * of its model folder and never takes others.
 */
@Component(name = "roll.worker.reward_model")
@RollWorker("reward_model")
public final class RewardModelWorker implements WorkerRole {
  @Override
  public CompletableFuture<Worker> open(WorkerContext context) {
    SessionConfig config = context.run().session(context.worker());
    String role = context.worker().role();
    return CompletableFuture.completedFuture(new Answering(role, context.openInference(config)));
  }

  /** The role at work. */
  private record Answering(String role, InferSession session) implements Worker {
    @Override
    public CompletableFuture<WorkResult> perform(Task task) {
      return switch (task) {
        case Task.Generate generate ->
            Calls.then(session.generate(generate.requests()), WorkResult::of);
        case Task.Sleep sleep -> session.sleep().thenApply(nothing -> WorkResult.DONE);
        case Task.Held held ->
            CompletableFuture.completedFuture(WorkResult.ofMemory(session.held()));
        default -> task.notFor(role);
      };
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
