package roll.worker.actor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.RandomStreams;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.scoring.Distributions;
import roll.api.strategy.LossFunction;
import roll.api.strategy.RunPosition;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.batching.MiniBatches;
import roll.runtime.config.CriticConfig;
import roll.runtime.config.algorithm.DistillConfig;
import roll.runtime.worker.BoundLoss;
import roll.runtime.worker.PaddingMetrics;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.TrainReport;
import roll.runtime.worker.UpdateMetrics;
import roll.runtime.worker.WorkerContext;

/**
 * Trains the policy on one batch: {@code ppo_epochs} passes, each cut into mini-batches of one
 * optimizer step. A log-prob that is not finite ends it before the optimizer is reached; the steps
 * left are counted as skipped.
 */
final class PolicyUpdate {
  private final TrainSession session;
  private final BoundLoss loss;
  private final PolicyBatch batch;
  private final int size;
  private final int epochs;
  private final long seed;
  private final int step;
  private final int trained;
  private final int steps;
  private final PaddingMetrics padding;
  private final @Nullable DistillConfig distill;
  private final @Nullable Distributions teacher;
  private final UpdateMetrics metrics = new UpdateMetrics("actor_train", "actor");

  PolicyUpdate(WorkerContext context, TrainSession session, Task.Train task) {
    var algorithm = context.run().algorithm();
    this.session = session;
    this.loss = context.loss();
    this.batch = new PolicyBatch(task.batch(), algorithm.loss());
    this.size =
        loss.whole() ? Math.max(1, batch.samples()) : context.worker().training().effectiveBatch();
    this.epochs = algorithm.ppoEpochs();
    this.seed = context.run().seed();
    this.step = task.step();
    CriticConfig critic = context.run().roles().critic();
    this.trained = step - (critic == null ? 0 : critic.warmup());
    this.steps = context.run().schedule().maxSteps();
    this.distill = algorithm.distill();
    this.teacher = task.teacher();
    this.padding =
        PaddingMetrics.training(
            "actor_train/train_step", context.worker(), context.run().sequenceLength());
  }

  /** Runs every optimizer step, one after the other. */
  CompletableFuture<TaskReply<TrainReport>> run() {
    List<MiniBatch> planned = new ArrayList<>();
    for (int epoch = 0; epoch < epochs; epoch++) {
      for (int[] samples : MiniBatches.of(batch.samples(), size, seed, step, epoch)) {
        planned.add(new MiniBatch(samples, epoch));
        if (epoch == 0) {
          padding.add(TokenBatch.ofPolicy(batch.select(samples)));
        }
      }
    }
    CompletableFuture<?> done = CompletableFuture.completedFuture(null);
    for (int i = 0; i < planned.size(); i++) {
      MiniBatch next = planned.get(i);
      RunPosition position = new RunPosition(trained, steps, i, planned.size());
      done = done.thenCompose(before -> update(next, position));
    }
    return done.handle((last, failure) -> result(planned.size(), failure));
  }

  /** The samples of an optimizer step, and the number of its pass over the batch. */
  private record MiniBatch(int[] samples, int epoch) {}

  private TaskReply<TrainReport> result(int planned, @Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause != null && !(cause instanceof NonFiniteException)) {
      cause = cause.getCause();
    }
    if (failure != null && cause == null) {
      throw new CompletionException(failure);
    }
    metrics.skip(planned - metrics.steps());
    Map<String, Double> all = new LinkedHashMap<>(metrics.all());
    all.putAll(batch.metrics());
    all.putAll(padding.metrics());
    String problem = cause == null ? problem(planned) : cause.getMessage();
    return new TaskReply<>(new TrainReport(problem), all);
  }

  /** Returns the reason for which optimizer steps were skipped, or null. */
  private @Nullable String problem(int planned) {
    return metrics.skipped() == 0
        ? null
        : "the gradient is not finite in %d of %d updates".formatted(metrics.skipped(), planned);
  }

  private CompletableFuture<Void> update(MiniBatch next, RunPosition position) {
    int[] samples = next.samples();
    int epoch = next.epoch();
    Batch mini = batch.select(samples);
    session.position(position);
    if (!loss.loss().info().surveys()) {
      return update(mini, samples, epoch);
    }
    return session
        .score(TokenBatch.ofPolicy(mini))
        .thenCompose(scores -> update(surveyed(mini, samples, epoch, scores), samples, epoch));
  }

  private Batch surveyed(Batch mini, int[] samples, int epoch, Scores scores) {
    long[] keys =
        Arrays.stream(samples)
            .mapToLong(i -> RandomStreams.of(seed, "loss", step, epoch, i).nextLong())
            .toArray();
    LossDenominators counts = LossDenominators.of(mini.layout());
    LossInput whole = batch.input(mini, samples, scores, counts, epoch == 0);
    return mini.withColumn(LossInput.SURVEY, loss.survey(whole, keys));
  }

  private CompletableFuture<Void> update(Batch mini, int[] samples, int epoch) {
    LossDenominators whole = LossDenominators.of(mini.layout());
    List<Map<String, Double>> shares = new ArrayList<>();
    LossFunction function =
        (chosen, scores) -> {
          int[] numbers = Arrays.stream(chosen).map(i -> samples[i]).toArray();
          LossInput part = batch.input(mini.select(chosen), numbers, scores, whole, epoch == 0);
          LossResult result = loss.evaluate(part);
          DistilledLoss mixed = DistilledLoss.of(distill, result, part, scores.divergences());
          synchronized (shares) {
            shares.add(mixed.metrics());
          }
          return mixed.gradients();
        };
    TokenBatch tokens = TokenBatch.ofPolicy(mini);
    return (distill == null
            ? session.update(tokens, function)
            : session.update(tokens, teacher, distill.divergence(), function))
        .thenAccept(
            report -> {
              shares.forEach(metrics::add);
              metrics.add(report);
            });
  }
}
