package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.NamedPlugin;
import roll.runtime.config.RunConfig;
import roll.runtime.plugin.ConfigReference;
import roll.runtime.plugin.RegisteredKind;
import roll.runtime.plugin.RegisteredKind.Lifetime;
import roll.runtime.plugin.RoleReferences;
import roll.runtime.plugin.StockKinds;

/** The plugins that shipped configurations name. */
class NamedPluginsTest {
  private final YamlConfigLoader loader =
      new YamlConfigLoader(Map.<String, String>of()::get, ConfigFiles.LINES);

  private static Path file(String name) {
    String root = Objects.requireNonNull(System.getProperty("roll.root"));
    return Path.of(root, "configs", name);
  }

  private RunConfig load(String name, String... overrides) {
    return loader.load(file(name), List.of(overrides)).run();
  }

  private static List<NamedPlugin> named(RunConfig run, RegisteredKind<?> kind) {
    return kind.places().apply(run).stream().map(ConfigReference::named).toList();
  }

  private static List<NamedPlugin> named(RunConfig run, Lifetime lifetime) {
    return StockKinds.ALL.stream()
        .filter(kind -> kind.lifetime() == lifetime)
        .flatMap(kind -> named(run, kind).stream())
        .toList();
  }

  @Test
  void ofARunWithToolsAndRewards() {
    RunConfig run = load("arithmetic.yaml");
    assertEquals(
        List.of(
            new NamedPlugin("custom_envs.Arithmetic.env_type", "roll.env", "dataset"),
            new NamedPlugin(
                "custom_envs.Arithmetic.env_manager_cls", "roll.env.manager", "trajectory"),
            new NamedPlugin("custom_envs.Arithmetic.agent.agent_type", "roll.agent.type", "hf"),
            new NamedPlugin("custom_envs.Arithmetic.agent.tools", "roll.tool", "calculator"),
            new NamedPlugin(
                "custom_envs.Arithmetic.rewards", "roll.reward", "math_equal_reward_tool"),
            new NamedPlugin("custom_envs.Arithmetic.rewards", "roll.reward", "tools_well_formed")),
        named(run, Lifetime.ROLLOUT));
    assertEquals(
        List.of(
            new NamedPlugin("adv_estimator", "roll.estimator", "grpo"),
            new NamedPlugin("actor_train.pg_variant", "roll.loss", "ppo")),
        named(run, Lifetime.STEP));
    assertEquals(
        List.of(
            new NamedPlugin("track_with", "roll.tracker", "console"),
            new NamedPlugin("track_with", "roll.tracker", "jsonl"),
            new NamedPlugin("track_with", "roll.tracker", "tensorboard"),
            new NamedPlugin("track_with", "roll.tracker", "chart")),
        named(run, StockKinds.TRACKER));
    assertEquals(List.of("actor_train", "actor_infer"), List.copyOf(run.roles().byName().keySet()));
    assertEquals(
        new NamedPlugin("actor_train.strategy_args.strategy_name", "roll.strategy", "local_train"),
        RoleReferences.strategy(run.roles().actorTrain()).named());
  }

  @Test
  void aModelThatRewardsAskIsARole() {
    RunConfig run = load("guidelines_small.yaml");
    assertEquals(
        List.of("actor_train", "actor_infer", "reference", "reward_models.solver"),
        List.copyOf(run.roles().byName().keySet()));
    assertEquals(
        new NamedPlugin("roles", "roll.worker", "reward_model"),
        RoleReferences.worker(run, "reward_models.solver").named());
    assertEquals(
        List.of("actor_train", "actor_infer", "reference", "reward_model", "environment"),
        named(run, StockKinds.WORKER).stream().map(NamedPlugin::name).toList());
    assertEquals(
        List.of(
            new NamedPlugin(
                "reward_models.solver.strategy_args.strategy_name", "roll.strategy", "vllm")),
        run.roles().rewardModels().values().stream()
            .map(model -> RoleReferences.strategy(model.worker()).named())
            .toList());
  }

  @Test
  void whoPlaysInPlaceOfThePolicyAndWhichGroupsAreKept() {
    RunConfig run =
        load(
            "arithmetic.yaml",
            "val_env_manager.llm_proxy.proxy_type=random",
            "train_env_manager.group_filter_cls=equal_scores");
    assertEquals(
        List.of(
            new NamedPlugin("val_env_manager.llm_proxy.proxy_type", "roll.agent", "random"),
            new NamedPlugin(
                "train_env_manager.group_filter_cls", "roll.group.filter", "equal_scores")),
        named(run, Lifetime.ROLLOUT).stream()
            .filter(named -> named.where().contains("_env_manager."))
            .toList());
  }

  @Test
  void aWarmStartHasThePolicyAlone() {
    LoadedConfig config = loader.loadForSft(file("arithmetic_sft.yaml"), List.of()).config();
    assertEquals(List.of("actor_train"), List.copyOf(config.rolesByName().keySet()));
    assertEquals(List.of(), named(config.run(), Lifetime.ROLLOUT));
  }
}
