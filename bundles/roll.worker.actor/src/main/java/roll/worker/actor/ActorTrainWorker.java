package roll.worker.actor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Batch;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
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
 * Worker of the trained policy: provides weights, scores a batch, trains on it, saves and restores.
 */
@Component(name = "roll.worker.actor.train")
@RollWorker("actor_train")
public final class ActorTrainWorker implements WorkerRole {
  @Override
  public CompletableFuture<Worker> open(WorkerContext context) {
    SessionConfig config = context.run().session(context.worker());
    TrainSession session = context.openTraining(config);
    return CompletableFuture.completedFuture(
        new Training(context, session, new CheckpointTasks(session)).worker());
  }

  /** Worker of the trained policy after its session was opened. */
  private record Training(WorkerContext context, TrainSession session, CheckpointTasks saving) {
    Worker worker() {
      return new TaskHandlers("actor_train")
          .at(Task.ShareWeights.class, share -> TaskReply.of(session.weights()))
          .on(Task.Score.class, score -> score(score.batch()))
          .on(Task.ScoreReference.class, score -> scoreReference(score.batch()))
          .on(Task.MeasureDivergences.class, this::divergences)
          .on(Task.Train.class, train -> new PolicyUpdate(context, session, train).run())
          .saving(saving)
          .at(Task.Held.class, held -> TaskReply.of(session.peakMemory()))
          .worker(this::close);
    }

    private CompletableFuture<TaskReply<Batch>> score(Batch batch) {
      return session
          .score(TokenBatch.ofPolicy(batch))
          .thenApply(
              scores -> {
                Batch scored =
                    batch
                        .withColumn(Batch.OLD_LOG_PROBS, scores.logProbs())
                        .withColumn(Batch.ENTROPIES, scores.entropies());
                if (scores.sumPiSquared().length > 0) {
                  scored = scored.withColumn(Batch.SUM_PI_SQUARED, scores.sumPiSquared());
                }
                Map<String, Double> metrics = new LinkedHashMap<>();
                metrics.put("critic/old_log_prob/mean", batch.layout().mean(scores.logProbs()));
                metrics.put("critic/entropy/mean", batch.layout().mean(scores.entropies()));
                metrics.putAll(padding("actor_train", batch).metrics());
                return new TaskReply<>(scored, metrics);
              });
    }

    private CompletableFuture<TaskReply<Batch>> scoreReference(Batch batch) {
      return session
          .scoreBase(TokenBatch.ofPolicy(batch))
          .thenApply(
              scores ->
                  TaskReply.ofReference(batch, scores)
                      .withMetrics(padding("reference", batch).metrics()));
    }

    private CompletableFuture<TaskReply<Batch>> divergences(Task.MeasureDivergences measure) {
      Batch batch = measure.batch();
      return session
          .divergences(TokenBatch.ofPolicy(batch), measure.reference())
          .thenApply(found -> TaskReply.of(batch.withColumn(Batch.DIVERGENCES, found)));
    }

    private PaddingMetrics padding(String role, Batch batch) {
      return PaddingMetrics.scoring(
              role + "/compute_log_probs", context.worker(), context.run().sequenceLength())
          .add(TokenBatch.ofPolicy(batch));
    }

    private void close() {
      saving.close();
      session.close();
    }
  }
}
