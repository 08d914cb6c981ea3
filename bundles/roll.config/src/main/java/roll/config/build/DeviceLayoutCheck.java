package roll.config.build;

import java.util.Collections;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.device.DeviceInfo;
import roll.api.device.DeviceInspector;
import roll.api.option.UserException;
import roll.config.schema.Section;

/**
 * Checks the assignment of roles to devices, as in {@code _validate_partial_gpu_config} of {@code
 * alibaba/ROLL@8eb27cc:roll/pipeline/agentic/agentic_pipeline.py#L752}. The policy is trained and
 * sampled on the same devices, one after the other; or on different ones, also at the same time; or
 * it is trained on some of the devices on which it is sampled, while the others continue sampling.
 * A role without devices has the whole machine and conflicts with no other.
 */
public final class DeviceLayoutCheck {
  private static final String ASYNC = "async_generation_ratio";
  private static final String MAPPING = "device_mapping";
  private static final String NODES = "num_nodes";
  private static final String DEVICES = "num_gpus_per_node";

  private final Section run;
  private final @Nullable DeviceInspector inspector;

  /**
   * Creates the check for a run whose devices are set.
   *
   * @param inspector says which devices there are where {@code num_gpus_per_node} does not; null
   *     where nothing computes, and any number may be right
   */
  public DeviceLayoutCheck(Section run, @Nullable DeviceInspector inspector) {
    this.run = run;
    this.inspector = inspector;
  }

  /** Returns the roles that have devices. */
  static Stream<Section> roles(Section run) {
    return Stream.concat(
        Stream.of("actor_train", "actor_infer", "reference", "critic")
            .filter(run::has)
            .map(run::section),
        Stream.of("reward_models", Teachers.KEY)
            .flatMap(models -> run.sections(models).values().stream()));
  }

  /**
   * Checks the assignment of roles to devices.
   *
   * @throws UserException for the first role with a forbidden assignment
   */
  public void check() {
    roles(run).forEach(this::exist);
    Set<Integer> train = devices("actor_train");
    Set<Integer> infer = devices("actor_infer");
    if (!train.isEmpty() && !infer.isEmpty()) {
      policy(train, infer);
    }
    reference(train, infer);
    critic(train, infer);
  }

  /**
   * Checks the devices of supervised training: of the policy and, if there is one, the reference.
   *
   * @throws UserException if one has a device that does not exist
   */
  public void checkTraining() {
    exist(run.section("actor_train"));
    if (run.has("preference") && run.has("reference")) {
      exist(run.section("reference"));
      reference(devices("actor_train"), devices("actor_train"));
    }
  }

  private void exist(Section role) {
    if (!role.has(MAPPING)) {
      return;
    }
    if (run.has("num_gpus_per_node")) {
      int nodes = run.has("num_nodes") ? run.integer("num_nodes") : 1;
      int count = run.integer("num_gpus_per_node") * nodes;
      exist(
          role,
          number -> number < count,
          "num_gpus_per_node × num_nodes say that there are %d, from 0 on".formatted(count));
    } else if (inspector != null) {
      List<DeviceInfo> devices = inspector.devices();
      exist(
          role,
          number -> devices.stream().anyMatch(device -> device.number() == number),
          "this machine has %s; num_gpus_per_node=%d divides it into %2$d"
              .formatted(numbers(devices), Collections.max(role.integers(MAPPING)) + 1));
    }
  }

  private static void exist(Section role, IntPredicate there, String what) {
    for (int number : role.integers(MAPPING)) {
      if (!there.test(number)) {
        throw new UserException(
            "%s: there is no device %d: %s".formatted(role.where(MAPPING), number, what));
      }
    }
  }

  /** Returns the device numbers of each kind, in order, such as {@code cpu 0-1}. */
  private static String numbers(List<DeviceInfo> devices) {
    Map<String, IntSummaryStatistics> kinds =
        devices.stream()
            .collect(
                Collectors.groupingBy(
                    DeviceInfo::kind,
                    LinkedHashMap::new,
                    Collectors.summarizingInt(DeviceInfo::number)));
    return kinds.entrySet().stream()
        .map(kind -> kind.getKey() + " " + range(kind.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String range(IntSummaryStatistics numbers) {
    return numbers.getMin() == numbers.getMax()
        ? Integer.toString(numbers.getMin())
        : numbers.getMin() + "-" + numbers.getMax();
  }

  private void policy(Set<Integer> train, Set<Integer> infer) {
    boolean ahead = run.number(ASYNC) > 0;
    if (train.equals(infer)) {
      if (ahead) {
        throw run.wrong(
            ASYNC,
            "0 where actor_train.device_mapping and actor_infer.device_mapping are the same"
                + " devices");
      }
      return;
    }
    if (Collections.disjoint(train, infer)) {
      return;
    }
    if (!infer.containsAll(train)) {
      throw new UserException(
          "%s: %s and actor_infer.device_mapping %s overlap: they must be the same devices, have none in common or, with %s above 0, be some of actor_infer's"
              .formatted(where("actor_train"), train, infer, ASYNC));
    }
    if (!ahead) {
      throw new UserException(
          "%s: %s are some of actor_infer.device_mapping %s, which takes %s above 0; in synchronous training they must be the same devices or have none in common"
              .formatted(where("actor_train"), train, infer, ASYNC));
    }
    int copy =
        DataParallelSize.devicesOf(
            run.section("actor_infer"), "tensor_parallel_size", "pipeline_parallel_size");
    if (infer.size() - train.size() < copy) {
      throw new UserException(
          "%s: %s leave %d of actor_infer.device_mapping %s, too few for a sampling replica of the model: it takes %d"
              .formatted(where("actor_train"), train, infer.size() - train.size(), infer, copy));
    }
  }

  /** Checks the devices of the reference and of teachers. */
  private void reference(Set<Integer> train, Set<Integer> infer) {
    Stream.concat(
            Stream.of("reference").filter(run::has).map(run::section),
            run.sections(Teachers.KEY).values().stream())
        .forEach(
            role -> {
              Set<Integer> own = devices(role);
              if (!within(own, train) && !within(own, infer)) {
                overlapping(role, own, "actor_train", train);
                overlapping(role, own, "actor_infer", infer);
              }
            });
  }

  /** If the policy is sampled while it is trained, the critic is trained at the same time. */
  private void critic(Set<Integer> train, Set<Integer> infer) {
    Set<Integer> critic = devices("critic");
    boolean partial = infer.containsAll(train) && infer.size() > train.size() && !train.isEmpty();
    if (partial && !Collections.disjoint(critic, train)) {
      throw new UserException(
          "%s: %s and actor_train.device_mapping %s overlap, which are some of actor_infer's: they must have none in common"
              .formatted(where("critic"), critic, train));
    }
    if (!within(critic, train)) {
      overlapping(run.section("critic"), critic, "actor_train", train);
    }
    if (!within(critic, infer)) {
      overlapping(run.section("critic"), critic, "actor_infer", infer);
    }
  }

  private static void overlapping(
      Section role, Set<Integer> own, String other, Set<Integer> theirs) {
    if (!Collections.disjoint(own, theirs)) {
      throw new UserException(
          "%s: %s and %s.device_mapping %s overlap: they must have none in common, or be some of them"
              .formatted(role.where(MAPPING), own, other, theirs));
    }
  }

  private static boolean within(Set<Integer> some, Set<Integer> all) {
    return all.containsAll(some);
  }

  private Set<Integer> devices(String role) {
    return run.has(role) ? devices(run.section(role)) : Set.of();
  }

  private static Set<Integer> devices(Section role) {
    return role.has(MAPPING) ? new LinkedHashSet<>(role.integers(MAPPING)) : Set.of();
  }

  private String where(String role) {
    return run.section(role).where(MAPPING);
  }

  /**
   * Settles how many nodes {@code run} has; adds to {@code notices} what does nothing or was
   * derived. Where it is not said it follows, as in ROLL, from the largest device of all roles and
   * {@code num_gpus_per_node}.
   */
  static void settleNodes(Section run, List<String> notices) {
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
        roles(run)
            .flatMap(
                role -> DeviceMapping.devices(role.where(MAPPING), role.value(MAPPING)).stream())
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
