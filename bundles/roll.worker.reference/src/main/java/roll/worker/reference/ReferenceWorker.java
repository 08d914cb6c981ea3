package roll.worker.reference;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Batch;
import roll.api.strategy.InferSession;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.runtime.worker.PaddingMetrics;
import roll.runtime.worker.RollWorker;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskHandlers;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.TokenizerComparison;
import roll.runtime.worker.Worker;
import roll.runtime.worker.WorkerContext;
import roll.runtime.worker.WorkerRole;

/**
 * The frozen policy, or a teacher: scores a batch with the weights the run began with, which are
 * those of its model folder or, where that has none, random ones from the same seed as the actor's.
 */
@Component(name = "roll.worker.reference")
@RollWorker("reference")
public final class ReferenceWorker implements WorkerRole {
  private static final double[] NONE = {};

  @Override
  public CompletableFuture<Worker> open(WorkerContext context) {
    SessionConfig config = context.run().session(context.worker());
    String role = context.worker().role();
    InferSession session = context.openInference(config);
    boolean same =
        TokenizerComparison.difference(context.policyTokenizer(), context.tokenizer()) < 0;
    if (!same) {
      context.notice(
          role
              + ": its tokenizer is not the policy's: log-probs are those of aligned spans of"
              + " text, an approximation");
    }
    AtomicBoolean told = new AtomicBoolean();
    return CompletableFuture.completedFuture(
        new TaskHandlers(role)
            .on(
                Task.Score.class,
                score ->
                    same
                        ? score(context, session, score.batch())
                        : scoreSpans(context, session, score.batch(), told))
            .at(Task.LendDistributions.class, lend -> TaskReply.of(session.distributions()))
            .at(Task.Held.class, held -> TaskReply.of(session.peakMemory()))
            .worker(session::close));
  }

  private static CompletableFuture<TaskReply<Batch>> score(
      WorkerContext context, InferSession session, Batch batch) {
    TokenBatch tokens = TokenBatch.ofPolicy(batch);
    PaddingMetrics padding =
        PaddingMetrics.scoring(
                context.worker().role() + "/compute_log_probs",
                context.worker(),
                context.run().sequenceLength())
            .add(tokens);
    return session
        .score(tokens)
        .thenApply(scores -> TaskReply.ofReference(batch, scores).withMetrics(padding.metrics()));
  }

  /**
   * Scores the text of a batch with the tokens of this role's model.
   *
   * @param told whether a notice has said that a batch had no spans
   */
  private static CompletableFuture<TaskReply<Batch>> scoreSpans(
      WorkerContext context, InferSession session, Batch batch, AtomicBoolean told) {
    TextSpans spans =
        new TextSpans(
            batch, context.policyTokenizer(), context.tokenizer(), context.run().sequenceLength());
    if (spans.share() == 0 && told.compareAndSet(false, true)) {
      context.notice(
          context.worker().role()
              + ": no token is in a span of text that its tokenizer writes too, so nothing is"
              + " learned from it (critic/ref_log_prob/aligned is 0)");
    }
    return session
        .score(spans.others())
        .thenApply(
            scores ->
                TaskReply.ofReference(batch, new Scores(spans.logProbs(scores.logProbs()), NONE))
                    .withMetrics(Map.of("critic/ref_log_prob/aligned", spans.share())));
  }
}
