package roll.worker.reward_model;

import java.util.concurrent.CompletableFuture;
import org.osgi.service.component.annotations.Component;
import roll.api.scoring.ScoringSession;
import roll.api.strategy.AsyncCalls;
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
 * A frozen model that rewards ask, an entry of {@code reward_models}: it writes or scores with the
 * weights of its model folder and never takes others.
 */
@Component(name = "roll.worker.reward_model")
@RollWorker("reward_model")
public final class RewardModelWorker implements WorkerRole {
  @Override
  public CompletableFuture<Worker> open(WorkerContext context) {
    SessionConfig config = context.run().session(context.worker());
    String role = context.worker().role();
    return CompletableFuture.completedFuture(
        context.run().roles().scoring(role)
            ? scoring(role, context.openScoring(config))
            : writing(role, context.openInference(config)));
  }

  private static Worker writing(String role, InferSession session) {
    return new TaskHandlers(role)
        .on(
            Task.Generate.class,
            generate -> AsyncCalls.then(session.generate(generate.requests()), TaskReply::of))
        .on(Task.Sleep.class, sleep -> session.sleep().thenApply(nothing -> TaskReply.DONE))
        .at(Task.Held.class, held -> TaskReply.of(session.peakMemory()))
        .worker(session::close);
  }

  /** Returns the scoring worker; without a cache there is nothing to free between rollouts. */
  private static Worker scoring(String role, ScoringSession session) {
    return new TaskHandlers(role)
        .on(
            Task.ScoreSequences.class,
            score -> AsyncCalls.then(session.score(score.sequences()), TaskReply::of))
        .at(Task.Sleep.class, sleep -> TaskReply.DONE)
        .at(Task.Held.class, held -> TaskReply.of(session.peakMemory()))
        .worker(session::close);
  }
}
