package roll.core.role;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.core.trajectory.RolloutFiles;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.worker.Task;
import roll.runtime.worker.WorkResult;
import roll.runtime.worker.Worker;

/**
 * The environment's role where rollouts are written or read ({@code rollout_mock}).
 *
 * @param files where they are
 * @param environment plays what is then written; null where rollouts are read instead
 */
record RolloutMock(RolloutFiles files, @Nullable Worker environment) implements Worker {
  @Override
  public CompletableFuture<WorkResult> perform(Task task) {
    if (!(task instanceof Task.Play play)) {
      return environment == null
          ? CompletableFuture.completedFuture(WorkResult.DONE) // there is nothing to remember
          : environment.perform(task);
    }
    return environment == null
        ? CompletableFuture.supplyAsync(
            () -> WorkResult.of(files.read(play.purpose(), play.step())),
            Thread::startVirtualThread)
        : environment.perform(task).thenApply(result -> written(play, result));
  }

  private WorkResult written(Task.Play play, WorkResult result) {
    RolloutResult rollout = result.rollout();
    if (rollout != null) {
      files.write(play.purpose(), play.step(), rollout);
    }
    return result;
  }

  @Override
  public void close() {
    if (environment != null) {
      environment.close();
    }
  }
}
