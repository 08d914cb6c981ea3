package roll.itests.role;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import roll.api.data.Trajectory;
import roll.api.option.Option;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskHandlers;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.Worker;
import roll.runtime.worker.WorkerContext;
import roll.runtime.worker.WorkerRole;

/** A role that multiplies all rewards. */
public final class ScaledRewards implements WorkerRole {
  private static final Option<Double> FACTOR =
      Option.number("factor", -100, 100, "of every reward").withDefault(2.0);

  @Override
  public List<Option<?>> options() {
    return List.of(FACTOR);
  }

  @Override
  public CompletableFuture<Worker> open(WorkerContext context) {
    double factor = context.options().get(FACTOR);
    return CompletableFuture.completedFuture(
        new TaskHandlers("scaled_rewards")
            .at(Task.EditTrajectories.class, edit -> scaled(edit.trajectories(), factor))
            .worker(() -> {}));
  }

  private static TaskReply<List<Trajectory>> scaled(List<Trajectory> played, double factor) {
    List<Trajectory> scaled =
        played.stream()
            .map(
                t ->
                    t.withRewards(
                        Arrays.stream(t.rewards()).map(reward -> factor * reward).toArray(),
                        t.metrics()))
            .toList();
    return new TaskReply<>(scaled, Map.of("relabel/trajectories", (double) scaled.size()));
  }
}
