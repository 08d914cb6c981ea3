package roll.shell.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.config.WorkerConfig;
import roll.api.option.UserException;
import roll.runtime.config.RunConfig;

/**
 * Lays out a run on fewer nodes. An optimizer step keeps its number of sequences: each remaining
 * rank accumulates more micro-batches.
 */
final class ReducedLayout {
  private static final Set<String> TRAINED = Set.of("actor_train", "critic");

  private ReducedLayout() {}

  /**
   * Returns the changes to the configuration of {@code run}.
   *
   * @param nodes number of remaining nodes, fewer than configured
   * @return overrides, {@code key=value}
   * @throws UserException with role and reason, if the layout does not fit
   */
  static List<String> overrides(RunConfig run, int nodes) {
    int devices = run.devices().count() / run.devices().nodes() * nodes;
    List<String> overrides = new ArrayList<>(List.of("num_nodes=" + nodes));
    for (Map.Entry<String, WorkerConfig> role : run.roles().byName().entrySet()) {
      WorkerConfig worker = role.getValue();
      List<Integer> left = worker.devices().stream().filter(number -> number < devices).toList();
      if (left.size() == worker.devices().size()) {
        continue;
      }
      if (left.isEmpty()) {
        throw new UserException(role.getKey() + " has no device on the remaining nodes");
      }
      overrides.add(role.getKey() + ".device_mapping=" + left);
      if (TRAINED.contains(role.getKey())) {
        overrides.add(
            role.getKey()
                + ".training_args.gradient_accumulation_steps="
                + accumulation(role.getKey(), worker, left.size()));
      }
    }
    return overrides;
  }

  /** Returns the micro-batches per optimizer step on each remaining replica. */
  private static int accumulation(String role, WorkerConfig worker, int devices) {
    int replicas = worker.training().replicas();
    int together = worker.devices().size() / replicas;
    int all = Math.multiplyExact(worker.training().accumulation(), replicas);
    int left = devices / together;
    if (devices % together != 0 || left == 0) {
      throw new UserException(
          "%s: a replica of the model needs %d devices, %d are left"
              .formatted(role, together, devices));
    }
    if (all % left != 0) {
      throw new UserException(
          "%s: %d micro-batches per step cannot be divided among %d remaining replicas"
              .formatted(role, all, left));
    }
    return all / left;
  }
}
