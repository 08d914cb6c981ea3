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
 * Trains the critic on one batch: a single pass, cut into mini-batches of one optimizer step. The
 * loss is ROLL's: a mean over samples of their means over tokens.
 */
final class ValueUpdate {
  private final ValueLoss loss;
  private final TrainingConfig training;
  private final long seed;
  private final int steps;
  private final ValueSession session;
  private final Task.Train task;
  private final PaddingMetrics padding;
  private final UpdateMetrics metrics = new UpdateMetrics("critic", "critic");

  ValueUpdate(WorkerContext context, CriticConfig critic, ValueSession session, Task.Train task) {
    this.loss = new ValueLoss(Aggregation.SEQ_MEAN_TOKEN_MEAN, critic.valueClip());
    this.training = critic.worker().training();
    this.seed = context.run().seed();
    this.steps = context.run().schedule().maxSteps();
    this.session = session;
    this.task = task;
    this.padding =
        PaddingMetrics.training(
            "critic/train_step", context.worker(), context.run().sequenceLength());
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
          ValueLoss.Result result =
              loss.evaluate(
                  new ValueLoss.Input(
                      part.layout(),
                      values,
                      part.column(Batch.VALUES),
                      part.column(Batch.RETURNS),
                      whole));
          metrics.add(result.metrics());
          return result.gradient();
        });
  }
}
