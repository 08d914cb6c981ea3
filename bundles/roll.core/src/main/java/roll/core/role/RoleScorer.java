package roll.core.role;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.api.scoring.SequenceScorer;
import roll.api.strategy.AsyncCalls;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskReply;

/** A scorer that has a role score, wherever that runs. */
record RoleScorer(WorkerGroup workers, String role) implements SequenceScorer {
  @Override
  public CompletableFuture<double[]> score(List<int[]> sequences) {
    return AsyncCalls.then(workers.ask(role, new Task.ScoreSequences(sequences)), TaskReply::value);
  }
}
