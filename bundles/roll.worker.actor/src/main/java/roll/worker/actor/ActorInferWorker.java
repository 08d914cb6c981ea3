package roll.worker.actor;

import java.util.concurrent.CompletableFuture;
import org.osgi.service.component.annotations.Component;
import roll.api.strategy.AsyncCalls;
import roll.api.strategy.InferSession;
import roll.api.strategy.SessionConfig;
import roll.runtime.worker.EmptyResult;
import roll.runtime.worker.RollWorker;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskHandlers;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.Worker;
import roll.runtime.worker.WorkerContext;
import roll.runtime.worker.WorkerRole;

/** Worker of the sampling policy: generates responses with the newest weights it received. */
@Component(name = "roll.worker.actor.infer")
@RollWorker("actor_infer")
public final class ActorInferWorker implements WorkerRole {
  @Override
  public CompletableFuture<Worker> open(WorkerContext context) {
    SessionConfig config = context.run().session(context.worker());
    InferSession session = context.openInference(config);
    return CompletableFuture.completedFuture(
        new TaskHandlers("actor_infer")
            .on(Task.TakeWeights.class, take -> done(session.update(take.weights())))
            .on(
                Task.Generate.class,
                generate -> AsyncCalls.then(session.generate(generate.requests()), TaskReply::of))
            .on(Task.Sleep.class, sleep -> done(session.sleep()))
            .on(Task.Wake.class, wake -> done(session.wake()))
            .on(Task.Load.class, _ -> AsyncCalls.then(session.load(), TaskReply::of))
            .at(Task.Measure.class, measure -> TaskReply.DONE.withMetrics(session.metrics()))
            .at(Task.Held.class, held -> TaskReply.of(session.peakMemory()))
            .worker(session::close));
  }

  private static CompletableFuture<TaskReply<EmptyResult>> done(CompletableFuture<Void> work) {
    return work.thenApply(nothing -> TaskReply.DONE);
  }
}
