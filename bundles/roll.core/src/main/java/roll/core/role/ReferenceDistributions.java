package roll.core.role;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.scoring.Distributions;
import roll.core.Roles;
import roll.runtime.config.RunConfig;
import roll.runtime.worker.Task;

/** The distributions of a run's reference, for a comparison on its device. */
public final class ReferenceDistributions {
  private ReferenceDistributions() {}

  /**
   * Asks the reference for its distributions; null if it is actor_train without its adapters.
   *
   * @param metrics of the step, added to
   */
  public static @Nullable Distributions of(
      RunConfig run, WorkerGroup workers, Map<String, Double> metrics) throws InterruptedException {
    return run.roles().referenceIsActor()
        ? null
        : workers.perform(Roles.REFERENCE, new Task.LendDistributions(), metrics);
  }
}
