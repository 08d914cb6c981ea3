package roll.config.build;

import java.util.List;
import roll.config.schema.Section;

/**
 * How many nodes a run has. Where it is not said it follows, as in ROLL, from the largest device of
 * all roles and {@code num_gpus_per_node}.
 */
final class NodeCount {
  private static final String NODES = "num_nodes";
  private static final String DEVICES = "num_gpus_per_node";

  private NodeCount() {}

  /** Settles the nodes of {@code run}; adds to {@code notices} what does nothing or was derived. */
  static void settle(Section run, List<String> notices) {
    if (!run.has(DEVICES)) {
      if (run.has(NODES)) {
        notices.add("key '%s' has no effect here: %s is not given".formatted(NODES, DEVICES));
        run.settle(NODES, null);
      }
      return;
    }
    if (run.has(NODES)) {
      return;
    }
    int each = run.integer(DEVICES);
    int largest =
        DeviceLayout.roles(run)
            .flatMap(
                role ->
                    DeviceMapping.devices(
                        role.where("device_mapping"), role.value("device_mapping"))
                        .stream())
            .max(Integer::compare)
            .orElse(0);
    if (largest >= each) {
      int nodes = largest / each + 1;
      run.settle(NODES, nodes);
      notices.add(
          "%s is %d: a role has device %d, and a node has %d"
              .formatted(NODES, nodes, largest, each));
    }
  }
}
