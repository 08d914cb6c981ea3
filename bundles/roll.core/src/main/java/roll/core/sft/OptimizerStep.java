package roll.core.sft;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.core.Roles;
import roll.core.role.WorkerGroup;
import roll.runtime.worker.Task;
import roll.runtime.worker.TrainReport;

/** One optimizer step of supervised training, with its metrics. */
final class OptimizerStep {
  private OptimizerStep() {}

  /**
   * Performs {@code task}; returns the reason why it was skipped, or null.
   *
   * @param metrics of the step, added to
   */
  static @Nullable String perform(WorkerGroup workers, Task.Train task, Map<String, Double> metrics)
      throws InterruptedException {
    int tokens = task.batch().size();
    Map<String, Double> reported = new LinkedHashMap<>();
    long start = System.nanoTime();
    TrainReport report = workers.perform(Roles.ACTOR_TRAIN, task, reported);
    take(reported, SftLoss.LOSS, SftLoss.LOSS, metrics);
    take(reported, "actor/distill_loss", "sft/distill_loss", metrics);
    take(reported, "actor/lr", "sft/lr", metrics);
    take(reported, "actor_train/grad_norm", "sft/grad_norm", metrics);
    take(reported, "actor/skipped_updates", "sft/skipped_updates", metrics);
    metrics.put("sft/tokens", (double) tokens);
    metrics.put("sft/tps", tokens / Math.max(1e-9, (System.nanoTime() - start) / 1e9));
    return report.problem();
  }

  private static void take(
      Map<String, Double> reported, String name, String as, Map<String, Double> metrics) {
    Double value = reported.get(name);
    if (value != null) {
      metrics.put(as, value);
    }
  }
}
