package roll.config.verl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.config.schema.Schema;
import roll.config.tree.Origins;
import roll.config.verl.VerlKey.How;

/**
 * Reads the options of verl and AgentFly as ours. They stand at the top of a configuration, beside
 * our keys or in place of them; the table {@code verl.keys} has the translation of each.
 */
public final class Verl {
  private static final String KL_LOSS = "actor_rollout_ref.actor.use_kl_loss";
  private static final String KL_REWARD = "algorithm.use_kl_in_reward";

  private final VerlTable table;
  private final Schema schema;
  private final Function<String, @Nullable String> environment;

  /** By the tables of their options and our keys, and variables of the environment. */
  public Verl(VerlTable table, Schema schema, Function<String, @Nullable String> environment) {
    this.table = table;
    this.schema = schema;
    this.environment = environment;
  }

  /**
   * Replaces their options in {@code tree} by our keys.
   *
   * @param notices receive notices for the user
   * @return what was written where, or null if there is no such option
   * @throws roll.api.option.UserException for the first option that cannot be translated
   */
  public @Nullable OurKeys translate(
      Map<String, @Nullable Object> tree, Origins origins, List<String> notices) {
    Map<String, @Nullable Object> theirs = new VerlSections(table, schema, origins).takenOut(tree);
    if (theirs.isEmpty()) {
      return null;
    }
    VerlOptions options = new VerlOptions(table, theirs, origins, notices);
    OurKeys ours = new OurKeys(tree, origins, options);
    VerlRoles roles = new VerlRoles(options, ours, notices);
    new VerlEnvironment(options, ours, notices).put();
    new AgentFlySearch(options, ours, environment).put(notices);
    new VerlSchedule(options, ours, notices).put();
    Map<String, Integer> updates =
        new VerlBatches(options, ours, roles.devices(), roles.replicas(), notices).put();
    roles.put();
    new VerlRewardModel(options, ours, notices).put(roles.devices());
    new VerlAlgorithm(options, ours, updates, notices).put();
    table.keys().stream()
        .filter(key -> key.how() == How.COPIED)
        .filter(key -> !key.path().equals("trainer.test_freq"))
        .filter(
            key ->
                options.given("data.train_files") || !ofDataset(key) || options.given(key.path()))
        .forEach(key -> ours.copy(key.ours(), key.path()));
    if (options.flag(KL_LOSS) && options.flag(KL_REWARD)) {
      notices.add(KL_LOSS + " and " + KL_REWARD + " are both true: the reference is heeded twice");
    }
    notices.add(read(options, roles.devices()));
    return ours;
  }

  private static boolean ofDataset(VerlKey key) {
    return key.ours().startsWith("custom_envs.Dataset.");
  }

  /** Whose defaults hold, and those that the two do not share. */
  private String read(VerlOptions options, int devices) {
    List<String> defaults = new ArrayList<>();
    for (VerlKey key : table.keys()) {
      Object standard = key.standard(options.agent());
      if (!Objects.equals(key.standard(), key.agentStandard())
          && standard != null
          && !options.given(key.path())
          && !without(key.path(), options, devices)) {
        defaults.add(key.path().replaceFirst("^actor_rollout_ref\\.", "") + " " + standard);
      }
    }
    return (options.agent()
            ? "read as a run of AgentFly's, since options of agent are given"
            : "read as a run of verl's")
        + (defaults.isEmpty() ? "" : "; not given, so: " + String.join(", ", defaults));
  }

  /** Whether the default of {@code path} plays no part. */
  private static boolean without(String path, VerlOptions options, int devices) {
    return switch (path) {
      case "data.max_response_length" -> options.given("actor_rollout_ref.rollout.response_length");
      case "actor_rollout_ref.model.enable_gradient_checkpointing" -> devices > 1;
      default -> false;
    };
  }
}
