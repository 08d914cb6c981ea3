package roll.itests.role;

import java.util.concurrent.CompletableFuture;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskHandlers;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.Worker;
import roll.runtime.worker.WorkerContext;
import roll.runtime.worker.WorkerRole;

/** A role that keeps five trajectories. */
public final class FirstFive implements WorkerRole {
  @Override
  public CompletableFuture<Worker> open(WorkerContext context) {
    return CompletableFuture.completedFuture(
        new TaskHandlers("first_five")
            .at(
                Task.EditTrajectories.class,
                edit -> TaskReply.of(edit.trajectories().subList(0, 5)))
            .worker(() -> {}));
  }
}
