package roll.worker.critic;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.api.config.TrainingConfig;
import roll.api.data.Batch;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.strategy.RunPosition;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.UpdateReport;
import roll.api.strategy.ValueSession;
import roll.batching.MiniBatches;
import roll.math.ValueLoss;
import roll.runtime.config.CriticConfig;
import roll.runtime.worker.PaddingMetrics;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.TrainReport;
import roll.runtime.worker.UpdateMetrics;
import roll.runtime.worker.WorkerContext;

/**
 * Trains a value model on one batch: a single pass, cut into mini-batches of one optimizer step.
 * The loss of a critic is ROLL's: a mean over samples of their means over tokens. A reward model
 * has no returns; its gradient by each value is minus the advantage, which an objective of
 * preferences computed.
 */
final class ValueUpdate {
  private final ValueLoss loss;
  private final TrainingConfig training;
  private final long seed;
  private final int steps;
  private final ValueSession session;
  private final Task.Train task;
  private final PaddingMetrics padding;
  private final UpdateMetrics metrics;

  ValueUpdate(WorkerContext context, ValueSession session, Task.Train task) {
    String role = context.worker().role();
    CriticConfig critic = context.run().roles().critic();
    this.loss =
        new ValueLoss(Aggregation.SEQ_MEAN_TOKEN_MEAN, critic == null ? null : critic.valueClip());
    this.metrics = new UpdateMetrics(role, role.equals("actor_train") ? "actor" : role);
    this.training = context.worker().training();
    this.seed = context.run().seed();
    this.steps = context.run().schedule().maxSteps();
    this.session = session;
    this.task = task;
    this.padding =
        PaddingMetrics.training(
            role + "/train_step", context.worker(), context.run().sequenceLength());
  }

  /** Runs every optimizer step, one after the other. */
  CompletableFuture<TaskReply<TrainReport>> run() {
    int size = training.effectiveBatch();
    CompletableFuture<?> done = CompletableFuture.completedFuture(null);
    List<int[]> planned = MiniBatches.of(task.batch().samples(), size, seed, task.step(), 0);
    for (int i = 0; i < planned.size(); i++) {
      int[] samples = planned.get(i);
      padding.add(TokenBatch.ofPolicy(task.batch().select(samples)));
      RunPosition position = new RunPosition(task.step(), steps, i, planned.size());
      done = done.thenCompose(before -> update(samples, position)).thenAccept(metrics::add);
    }
    return done.thenApply(
        last ->
            TaskReply.of(TrainReport.COMPLETE)
                .withMetrics(metrics.all())
                .withMetrics(padding.metrics()));
  }

  private CompletableFuture<UpdateReport> update(int[] samples, RunPosition position) {
    session.position(position);
    Batch mini = task.batch().select(samples);
    LossDenominators whole = LossDenominators.of(mini.layout());
    return session.update(
        TokenBatch.ofPolicy(mini),
        (chosen, values) -> {
          Batch part = mini.select(chosen);
          double[] returns = part.columnOrNull(Batch.RETURNS);
          return returns == null ? weighted(part) : fitted(part, values, returns, whole);
        });
  }

  private static double[] weighted(Batch part) {
    double[] advantages = part.column(Batch.ADVANTAGES);
    return part.layout().column(t -> -advantages[t]);
  }

  private double[] fitted(Batch part, double[] values, double[] returns, LossDenominators whole) {
    ValueLoss.Result result =
        loss.evaluate(
            new ValueLoss.Input(part.layout(), values, part.column(Batch.VALUES), returns, whole));
    metrics.add(result.metrics());
    return result.gradient();
  }
}
