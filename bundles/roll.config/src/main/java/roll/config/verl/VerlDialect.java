package roll.config.verl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.config.dialect.TranslatedKeys;
import roll.config.dialect.Translation.How;
import roll.config.schema.Schema;
import roll.runtime.dialect.ConfigDialect;
import roll.runtime.dialect.ConfigDraft;

/**
 * Translates options of verl and AgentFly. They are top-level keys of a configuration, mixed with
 * our keys or not; the table {@code verl.keys} has the translations. Both are one dialect: AgentFly
 * has verl's options, some other defaults, and {@code agent}.
 */
@Component(name = "roll.config.verl", property = "service.ranking:Integer=200")
public final class VerlDialect implements ConfigDialect {
  private static final String KL_LOSS = "actor_rollout_ref.actor.use_kl_loss";
  private static final String KL_REWARD = "algorithm.use_kl_in_reward";

  private final VerlTable table = new VerlTable();
  private final Schema schema = new Schema();

  @Override
  public Set<String> sections() {
    return table.sections();
  }

  @Override
  public @Nullable UnaryOperator<String> translate(ConfigDraft draft) {
    if (VerlSft.is(draft.tree())) {
      return VerlSft.translate(draft);
    }
    Map<String, @Nullable Object> theirs = new VerlSections(table, schema, draft).takenOut();
    if (theirs.isEmpty()) {
      return null;
    }
    VerlOptions options = new VerlOptions(table, theirs, draft);
    TranslatedKeys ours = new TranslatedKeys(draft, options);
    new VerlAsync(options, ours).put();
    VerlRoles roles = new VerlRoles(options, ours);
    new VerlEnvironment(options, ours).put();
    new AgentFlySearch(options, ours, draft).put();
    new VerlSchedule(options, ours).put();
    Map<String, Integer> updates =
        new VerlBatches(options, ours, roles.devices(), roles.replicas()).put();
    roles.put();
    new VerlRewardModel(options, ours).put(roles.devices());
    new VerlDistillation(options, ours).put();
    new VerlAlgorithm(options, ours, updates).put();
    table.keys().stream()
        .filter(key -> key.how() == How.COPIED)
        .filter(key -> !key.path().equals("trainer.test_freq"))
        .filter(
            key -> !key.ours().equals("adv_estimator") || !options.flag(VerlDistillation.ENABLED))
        .filter(
            key ->
                options.given("data.train_files") || !ofDataset(key) || options.given(key.path()))
        .forEach(key -> ours.copy(key.ours(), key.path()));
    if (options.flag(KL_LOSS) && options.flag(KL_REWARD)) {
      draft.notice(KL_LOSS + " and " + KL_REWARD + " are both true: the reference is used twice");
    }
    draft.notice(read(options, roles.devices()));
    return ours::inTheirWords;
  }

  private static boolean ofDataset(VerlKey key) {
    return key.ours().startsWith("custom_envs.Dataset.");
  }

  /** A notice about the defaults in use, with those that differ between verl and AgentFly. */
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

  /** Whether the default of {@code path} is ignored. */
  private static boolean without(String path, VerlOptions options, int devices) {
    return switch (path) {
      case "data.max_response_length" -> options.given("actor_rollout_ref.rollout.response_length");
      case "actor_rollout_ref.model.enable_gradient_checkpointing" -> devices > 1;
      default -> false;
    };
  }
}
