package roll.core.role;

import java.util.List;
import roll.api.option.UserException;
import roll.core.Roles;
import roll.runtime.config.RoleConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.worker.Task;
import roll.runtime.worker.Worker;

/**
 * The tasks of each role in a run, so that a worker without one of them is refused when it is
 * opened.
 */
final class RoleTasks {
  private static final List<Class<?>> SAVED =
      List.of(Task.Snapshot.class, Task.Save.class, Task.Restore.class);

  private RoleTasks() {}

  /**
   * Checks that {@code worker} performs every task of {@code role}.
   *
   * @param from the worker's name and its bundle, for the message
   * @throws UserException naming the first task that it does not answer
   */
  static void require(String role, RunConfig run, Worker worker, String from) {
    if (Roles.CHECKPOINTED.contains(role)) {
      SAVED.forEach(type -> require(role, type, worker, from));
    }
    of(role, run).forEach(type -> require(role, type, worker, from));
    if (run.divergences() && role.equals(Roles.ACTOR_TRAIN)) {
      require(role, Task.MeasureDivergences.class, worker, from);
    }
    if (run.comparesDistributions() && role.equals(Roles.REFERENCE)) {
      require(role, Task.LendDistributions.class, worker, from);
    }
  }

  private static void require(String role, Class<?> type, Worker worker, String from) {
    if (!worker.performs(type)) {
      throw new UserException(
          "%s: %s has no handler for %s, which this role is asked"
              .formatted(role, from, type.getSimpleName()));
    }
  }

  private static List<Class<?>> of(String role, RunConfig run) {
    RoleConfig own = run.extensions().role(role);
    if (own != null) {
      return List.of(
          own.after() == RoleConfig.Position.ROLLOUT
              ? Task.EditTrajectories.class
              : Task.EditBatch.class);
    }
    return switch (run.roles().worker(role)) {
      case Roles.ACTOR_TRAIN ->
          List.of(Task.ShareWeights.class, Task.Score.class, Task.Train.class, Task.Held.class);
      case Roles.ACTOR_INFER ->
          List.of(
              Task.TakeWeights.class,
              Task.Generate.class,
              Task.Sleep.class,
              Task.Wake.class,
              Task.Measure.class,
              Task.Held.class);
      case Roles.CRITIC -> List.of(Task.Score.class, Task.Train.class, Task.Held.class);
      case Roles.REFERENCE -> List.of(Task.Score.class, Task.Held.class);
      case "reward_model" ->
          List.of(
              run.roles().scoring(role) ? Task.ScoreSequences.class : Task.Generate.class,
              Task.Sleep.class,
              Task.Held.class);
      case Roles.ENVIRONMENT -> List.of(Task.Play.class);
      default -> List.of();
    };
  }
}
