package roll.core.role;

import org.jspecify.annotations.Nullable;
import roll.core.Roles;
import roll.runtime.worker.Task;

/** Under which names the times of tasks are metrics. */
final class TaskTimers {
  private TaskTimers() {}

  /** ROLL's timer name for a task of a role, or null if it has none. */
  static @Nullable String work(String role, Task<?> task) {
    return switch (task) {
      case Task.Train train -> "train_step";
      case Task.Score score -> role.equals(Roles.CRITIC) ? "compute_values" : "compute_log_probs";
      case Task.ScoreReference score -> "compute_log_probs";
      case Task.LendDistributions lend -> null;
      case Task.MeasureDivergences measure -> "compute_divergences";
      case Task.EditTrajectories edit -> "edit";
      case Task.EditBatch edit -> "edit";
      case Task.ShareWeights share -> "model_update";
      case Task.TakeWeights take -> "model_update";
      case Task.Save save -> role.equals(Roles.ENVIRONMENT) ? null : "do_checkpoint";
      case Task.Snapshot snapshot -> role.equals(Roles.ENVIRONMENT) ? null : "do_checkpoint";
      case Task.Play play -> null;
      case Task.Generate generate -> null;
      case Task.ScoreSequences score -> null;
      case Task.Sleep sleep -> null;
      case Task.Wake wake -> null;
      case Task.Load load -> null;
      case Task.Measure measure -> null;
      case Task.Held held -> null;
      case Task.Restore restore -> null;
    };
  }
}
