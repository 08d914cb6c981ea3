package roll.worker.actor;

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

/** The sampling policy: writes responses with the weights it was last given. */
@Component(name = "roll.worker.actor.infer")
@RollWorker("actor_infer")
public final class ActorInferWorker implements WorkerRole {
  @Override
  public CompletableFuture<Worker> open(WorkerContext context) {
    SessionConfig config = context.run().session(context.worker());
    return CompletableFuture.completedFuture(new Sampling(context.openInference(config)));
  }

  /** The role at work. */
  private record Sampling(InferSession session) implements Worker {
    @Override
    public CompletableFuture<WorkResult> perform(Task task) {
      return switch (task) {
        case Task.TakeWeights take ->
            session.update(take.weights()).thenApply(nothing -> WorkResult.DONE);
        case Task.Generate generate ->
            Calls.then(session.generate(generate.requests()), WorkResult::of);
        case Task.Sleep sleep -> session.sleep().thenApply(nothing -> WorkResult.DONE);
        case Task.Wake wake -> session.wake().thenApply(nothing -> WorkResult.DONE);
        case Task.Measure measure ->
            CompletableFuture.completedFuture(WorkResult.of(session.metrics()));
        case Task.Held held ->
            CompletableFuture.completedFuture(WorkResult.ofMemory(session.held()));
        default -> task.notFor("actor_infer");
      };
    }

    @Override
    public void close() {
      session.close();
    }
  }
}
