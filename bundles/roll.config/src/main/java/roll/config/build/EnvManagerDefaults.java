package roll.config.build;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.schema.Section;
import roll.runtime.config.ProxyConfig;

/** Derives the defaults of the environment managers of training and validation. */
final class EnvManagerDefaults {
  private final Section run;
  private final BiConsumer<String, String> idle;

  /**
   * For {@code run}, which is changed.
   *
   * @param idle is given the name of a key without effect, and the reason
   */
  EnvManagerDefaults(Section run, BiConsumer<String, String> idle) {
    this.run = run;
    this.idle = idle;
  }

  /** Derives tags and groups; validation plays the tags of training by default. */
  void settle() {
    Section train = run.section("train_env_manager");
    settle(train, run.integer("rollout_batch_size"), null);
    settle(run.section("val_env_manager"), Math.max(1, run.integer("val_batch_size")), train);
  }

  private void settle(Section manager, int batch, @Nullable Section standard) {
    List<String> defined = List.copyOf(run.sections("custom_envs").keySet());
    if (!manager.has("tags")) {
      if (standard == null && defined.size() != 1) {
        throw new UserException(
            manager.whereMissing("tags")
                + " is missing (custom_envs "
                + (defined.isEmpty() ? "is empty" : "has " + String.join(", ", defined))
                + ")");
      }
      manager.settle("tags", standard == null ? defined : standard.texts("tags"));
    }
    if (manager.texts("tags").isEmpty()) {
      throw manager.wrong("tags", "at least one tag");
    }
    if (!manager.has("num_env_groups")) {
      manager.settle(
          "num_env_groups",
          manager.has("num_groups_partition")
              ? manager.integers("num_groups_partition").stream().mapToInt(n -> n).sum()
              : Math.max(1, batch / manager.integer("group_size")));
    }
    if (!manager.has("num_groups_partition")) {
      manager.settle("num_groups_partition", split(manager));
    }
    if (manager.has("llm_proxy")) {
      proxy(manager.section("llm_proxy"));
    }
  }

  /**
   * Removes proxy options that the policy does not have: ROLL's examples give it those of another
   * proxy.
   */
  private void proxy(Section proxy) {
    if (proxy.text("proxy_type").equals(ProxyConfig.POLICY.type())
        && !proxy.mapping("proxy_config").isEmpty()) {
      idle.accept(proxy.path("proxy_config"), "proxy_type is policy");
      proxy.settle("proxy_config", Map.of());
    }
  }

  private static List<Integer> split(Section manager) {
    int groups = manager.integer("num_env_groups");
    int tags = manager.texts("tags").size();
    if (groups < tags) {
      throw manager.wrong("tags", "at most " + groups + " tags, one for each group");
    }
    List<Integer> split = new ArrayList<>();
    for (int i = 0; i < tags; i++) {
      split.add(groups / tags + (i < groups % tags ? 1 : 0));
    }
    return split;
  }

  /** Derives the sampling parameters of both managers, which may have those of the actor. */
  void settleSampling() {
    Section infer = run.section("actor_infer");
    Section train = run.section("train_env_manager");
    Section validation = run.section("val_env_manager");
    if (infer.has("generating_args")) {
      if (train.has("generating_args") && validation.has("generating_args")) {
        idle.accept("actor_infer.generating_args", "both environment managers have their own");
      }
      inherit(train, infer);
      inherit(validation, infer);
      infer.settle("generating_args", null);
    }
    if (!train.has("generating_args")) {
      throw new UserException(
          train.whereMissing("generating_args") + " is missing (actor_infer has none either)");
    }
    inherit(validation, train);
    for (Section manager : List.of(train, validation)) {
      Section generating = manager.section("generating_args");
      if (!generating.has("max_new_tokens")) {
        generating.settle("max_new_tokens", run.integer("sequence_length"));
      }
    }
  }

  private static void inherit(Section manager, Section from) {
    if (!manager.has("generating_args")) {
      manager.settle("generating_args", from.section("generating_args"));
    }
  }
}
