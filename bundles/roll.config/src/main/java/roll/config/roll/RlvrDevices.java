package roll.config.roll;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import roll.config.build.DeviceMapping;

/**
 * Devices of the roles of ROLL's RLVR pipeline: in synchronous training they may have some in
 * common, and others of their own; here they take turns on all that train.
 */
record RlvrDevices(PipelineFile file) {
  private static final String RATIO = "async_generation_ratio";

  /** Replaces the devices of roles that have some, but not all in common with training. */
  void put() {
    List<Integer> train = devices("actor_train");
    boolean synchronous =
        file.get(RATIO) == null || (file.get(RATIO) instanceof Number n && n.doubleValue() == 0);
    if (!synchronous) {
      return;
    }
    List<Integer> infer = devices("actor_infer");
    if (!Set.copyOf(infer).equals(Set.copyOf(train)) && !Collections.disjoint(infer, train)) {
      takeTurns("actor_infer", train);
    }
    List<String> others = RollRoles.references(file.draft());
    others.add("critic");
    for (String role : others) {
      List<Integer> own = devices(role);
      if (!train.containsAll(own) && !Collections.disjoint(own, train)) {
        takeTurns(role, train);
      }
    }
  }

  private void takeTurns(String role, List<Integer> train) {
    String mapping = role + ".device_mapping";
    file.put(mapping, train);
    file.draft().notice("%s is that of actor_train: the roles take turns on it".formatted(mapping));
  }

  private List<Integer> devices(String role) {
    String path = role + ".device_mapping";
    return DeviceMapping.devices(file.draft().where(path) + ": " + path, file.get(path));
  }
}
