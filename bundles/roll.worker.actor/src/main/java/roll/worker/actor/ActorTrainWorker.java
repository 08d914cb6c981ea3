package roll.worker.actor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Batch;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.runtime.worker.Padding;
import roll.runtime.worker.RollWorker;
import roll.runtime.worker.Saving;
import roll.runtime.worker.Task;
import roll.runtime.worker.WorkResult;
import roll.runtime.worker.Worker;
import roll.runtime.worker.WorkerContext;
import roll.runtime.worker.WorkerRole;

/** The trained policy: gives its weights, scores a batch, trains on it, saves and restores. */
@Component(name = "roll.worker.actor.train")
@RollWorker("actor_train")
public final class ActorTrainWorker implements WorkerRole {
  @Override
  public CompletableFuture<Worker> open(WorkerContext context) {
    SessionConfig config = context.run().session(context.worker());
    TrainSession session = context.openTraining(config);
    return CompletableFuture.completedFuture(new Training(context, session, new Saving(session)));
  }

  /** The role at work. */
  private record Training(WorkerContext context, TrainSession session, Saving saving)
      implements Worker {
    @Override
    public CompletableFuture<WorkResult> perform(Task task) {
      return switch (task) {
        case Task.ShareWeights share ->
            CompletableFuture.completedFuture(WorkResult.of(session.weights()));
        case Task.Score score -> score(score.batch());
        case Task.ScoreReference score -> scoreReference(score.batch());
        case Task.Train train -> new PolicyUpdate(context, session, train).run();
        case Task.Snapshot snapshot -> saving.snapshot();
        case Task.Save save -> saving.save(save.folder());
        case Task.Restore restore -> saving.restore(restore.folder());
        case Task.Held held ->
            CompletableFuture.completedFuture(WorkResult.ofMemory(session.held()));
        default -> task.notFor("actor_train");
      };
    }

    private CompletableFuture<WorkResult> score(Batch batch) {
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
                return WorkResult.of(scored, metrics);
              });
    }

    private CompletableFuture<WorkResult> scoreReference(Batch batch) {
      return session
          .scoreBase(TokenBatch.ofPolicy(batch))
          .thenApply(
              scores ->
                  WorkResult.ofReference(batch, scores)
                      .withMetrics(padding("reference", batch).metrics()));
    }

    private Padding padding(String role, Batch batch) {
      return Padding.scoring(
              role + "/compute_log_probs", context.worker(), context.run().sequenceLength())
          .add(TokenBatch.ofPolicy(batch));
    }

    @Override
    public void close() {
      saving.close();
      session.close();
    }
  }
}
