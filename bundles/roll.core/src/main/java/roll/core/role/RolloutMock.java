package roll.core.role;

import java.util.concurrent.CompletableFuture;
import roll.core.Roles;
import roll.core.trajectory.RolloutFiles;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskHandlers;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.Worker;

/** The environment's role where rollouts are written or read ({@code rollout_mock}). */
final class RolloutMock {
  private RolloutMock() {}

  /** Creates a worker that reads rollouts from {@code files} and has no state. */
  static Worker reading(RolloutFiles files) {
    return new TaskHandlers(Roles.ENVIRONMENT)
        .on(
            Task.Play.class,
            play ->
                CompletableFuture.supplyAsync(
                    () -> reply(files.read(play.purpose(), play.step())),
                    Thread::startVirtualThread))
        .at(Task.Snapshot.class, snapshot -> TaskReply.DONE)
        .at(Task.Save.class, save -> TaskReply.DONE)
        .at(Task.Restore.class, restore -> TaskReply.DONE)
        .worker(() -> {});
  }

  /**
   * Creates a worker that records into {@code files} the episodes that {@code environment} plays.
   */
  static Worker writing(RolloutFiles files, Worker environment) {
    return new TaskHandlers(Roles.ENVIRONMENT)
        .on(
            Task.Play.class,
            play -> environment.perform(play).thenApply(reply -> written(files, play, reply)))
        .on(Task.Snapshot.class, environment::perform)
        .on(Task.Save.class, environment::perform)
        .on(Task.Restore.class, environment::perform)
        .worker(environment::close);
  }

  private static TaskReply<RolloutResult> reply(RolloutResult rollout) {
    return new TaskReply<>(rollout, rollout.metrics());
  }

  private static TaskReply<RolloutResult> written(
      RolloutFiles files, Task.Play play, TaskReply<RolloutResult> reply) {
    files.write(play.purpose(), play.step(), reply.value());
    return reply;
  }
}
