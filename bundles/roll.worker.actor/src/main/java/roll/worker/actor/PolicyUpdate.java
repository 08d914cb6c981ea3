package roll.worker.actor;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.config.AlgorithmConfig;
import roll.api.config.TrainingConfig;
import roll.api.data.Batch;
import roll.api.data.MiniBatches;
import roll.api.loss.Denominators;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.strategy.Gradients;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.UpdateReport;
import roll.api.worker.Task;
import roll.api.worker.UpdateMetrics;
import roll.api.worker.WorkResult;
import roll.api.worker.WorkerContext;

/**
 * Trains the policy on one batch: {@code ppo_epochs} passes, each cut into mini-batches of one
 * optimizer step. Where the batch has no old log-probs, those a sample has when it is first trained
 * on take their place (ROLL without {@code enable_old_logprobs_recompute}).
 */
final class PolicyUpdate {
  private final TrainSession session;
  private final PolicyLoss loss;
  private final AlgorithmConfig algorithm;
  private final TrainingConfig training;
  private final long seed;
  private final int step;
  private final Batch batch;
  private final double @Nullable [] firstLogProbs;
  private final UpdateMetrics metrics = new UpdateMetrics("actor_train", "actor");

  PolicyUpdate(WorkerContext context, TrainSession session, Task.Train task) {
    this.session = session;
    this.loss = context.loss();
    this.algorithm = context.run().algorithm();
    this.training = context.worker().training();
    this.seed = context.run().seed();
    this.step = task.step();
    this.batch = task.batch();
    this.firstLogProbs = batch.hasTokens(Batch.OLD_LOG_PROBS) ? null : new double[batch.size()];
  }

  /** Runs every optimizer step, one after the other. */
  CompletableFuture<WorkResult> run() {
    int size = training.microBatch() * training.accumulation();
    CompletableFuture<?> done = CompletableFuture.completedFuture(null);
    for (int epoch = 0; epoch < algorithm.ppoEpochs(); epoch++) {
      boolean first = epoch == 0;
      for (int[] samples : MiniBatches.of(batch.samples(), size, seed, step, epoch)) {
        done = done.thenCompose(before -> update(samples, first)).thenAccept(metrics::add);
      }
    }
    return done.thenApply(last -> WorkResult.of(metrics.all()));
  }

  private CompletableFuture<UpdateReport> update(int[] samples, boolean first) {
    Batch mini = batch.select(samples);
    Denominators whole = Denominators.of(mini.offsets(), mini.mask());
    return session.update(
        TokenBatch.ofPolicy(mini),
        (chosen, scores) -> {
          Batch part = mini.select(chosen);
          int[] numbers = Arrays.stream(chosen).map(i -> samples[i]).toArray();
          LossResult result =
              loss.evaluate(
                  new LossInput(
                      part.offsets(),
                      part.turns(),
                      part.mask(),
                      scores.logProbs(),
                      scores.entropies(),
                      oldLogProbs(part, numbers, scores.logProbs(), first),
                      part.tokenColumnOrNull(Batch.REFERENCE_LOG_PROBS),
                      part.tokenColumn(Batch.ADVANTAGES),
                      algorithm.loss(),
                      whole));
          metrics.add(result.metrics());
          return new Gradients(result.logProbGradient(), result.entropyGradient());
        });
  }

  /**
   * The old log-probs of a part.
   *
   * @param numbers its samples' numbers in the whole batch
   * @param now its current log-probs
   */
  private double[] oldLogProbs(Batch part, int[] numbers, double[] now, boolean first) {
    double[] known = firstLogProbs;
    if (known == null) {
      return part.tokenColumn(Batch.OLD_LOG_PROBS);
    }
    double[] old = first ? now.clone() : new double[part.size()];
    for (int i = 0; i < numbers.length; i++) {
      int here = part.offsets()[i];
      int there = batch.offsets()[numbers[i]];
      int length = part.offsets()[i + 1] - here;
      if (first) {
        System.arraycopy(old, here, known, there, length);
      } else {
        System.arraycopy(known, there, old, here, length);
      }
    }
    return old;
  }
}
