package roll.worker.reward_model;

import java.util.concurrent.CompletableFuture;
import org.osgi.service.component.annotations.Component;
import roll.api.strategy.Calls;
import roll.api.strategy.InferSession;
import roll.api.strategy.SessionConfig;
import roll.runtime.worker.RollWorker;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskHandlers;
import roll.runtime.worker.TaskReply;
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
    InferSession session = context.openInference(config);
    return CompletableFuture.completedFuture(
        new TaskHandlers(role)
            .on(
                Task.Generate.class,
                generate -> Calls.then(session.generate(generate.requests()), TaskReply::of))
            .on(Task.Sleep.class, sleep -> session.sleep().thenApply(nothing -> TaskReply.DONE))
            .at(Task.Held.class, held -> TaskReply.of(session.held()))
            .worker(session::close));
  }
}
