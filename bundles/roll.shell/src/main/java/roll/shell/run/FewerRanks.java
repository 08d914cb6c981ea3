package roll.shell.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.config.WorkerConfig;
import roll.api.option.UserException;
import roll.runtime.config.RunConfig;

/**
 * The same run over fewer nodes: an optimizer step has as many sequences as before, since each rank
 * that is left accumulates more of them.
 */
final class FewerRanks {
  private static final Set<String> TRAINED = Set.of("actor_train", "critic");

  private FewerRanks() {}

  /**
   * What the configuration of {@code run} changes to.
   *
   * @param nodes how many there are, fewer than it asks for
   * @return overrides, {@code key=value}
   * @throws UserException if the layout does not fit; the line says which role and why
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
        throw new UserException(role.getKey() + " has no device on the nodes that are left");
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

  /** Micro-batches of an optimizer step on each of the copies that {@code devices} make. */
  private static int accumulation(String role, WorkerConfig worker, int devices) {
    int replicas = worker.training().replicas();
    int together = worker.devices().size() / replicas;
    int all = Math.multiplyExact(worker.training().accumulation(), replicas);
    int left = devices / together;
    if (devices % together != 0 || left == 0) {
      throw new UserException(
          "%s: a copy of the model takes %d devices, %d are left"
              .formatted(role, together, devices));
    }
    if (all % left != 0) {
      throw new UserException(
          "%s: %d micro-batches of a step do not divide by the %d copies that are left"
              .formatted(role, all, left));
    }
    return all / left;
  }
}
