package roll.core.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.rollout.EnvManager;
import roll.api.tracking.Tracker;
import roll.runtime.config.Extensions;
import roll.runtime.config.PluginConfig;
import roll.runtime.config.RoleConfig;
import roll.runtime.config.RoleConfig.Position;
import roll.runtime.config.RunConfig;
import roll.runtime.plugin.PluginKind;
import roll.runtime.worker.WorkerRole;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;

/** Changes to the configuration when a plugin is replaced. */
class SwapOverridesTest {
  private final RunConfig run = ExampleRunConfigs.small(Path.of("folder"), 1);
  private final InMemoryPluginRegistry shelf =
      new InMemoryPluginRegistry()
          .with("roll.env", "maze", new World("size"))
          .with("roll.env.manager", "step", (EnvManager) context -> null)
          .with("roll.tracker", "mine", (Tracker) tracked -> null);

  /** An environment that is never played. */
  private record World(String option) implements Environment {
    @Override
    public String description() {
      return "nothing";
    }

    @Override
    public List<Option<?>> options() {
      return List.of(Option.integer(option, "cells").withDefault(4));
    }

    @Override
    public Scenario configure(Options options) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void anEnvironmentKeepsTheOptionsThatTheOtherKnows() {
    assertEquals(
        List.of("custom_envs.Game.env_type=maze"), swap("environment", "game").overrides());
    Map<String, Object> options = Map.of("size", 5, "hole", 2);
    RunConfig sized =
        ExampleRunConfigs.with(
            run,
            new EnvConfig(
                "Game", "game", "trajectory", EnvLimits.steps(2), PromptConfig.of("{}"), options));
    SwapOverrides swap = SwapOverrides.of(sized, shelf, "roll.env", "game", "maze");
    assertEquals(
        List.of("custom_envs.Game.env_type=maze", "custom_envs.Game.env_config={\"size\":5}"),
        swap.overrides());
    assertEquals(
        List.of("custom_envs.Game.env_config.hole: left out, maze has no such option"),
        swap.notices());
    assertEquals(0, shelf.leased());
  }

  @Test
  void whatTheRunDoesNotUseOrNobodyOffersIsRefused() {
    assertEquals(
        "swap: the run uses no environment 'gam' (it uses: game); did you mean 'game'?",
        refused("environment", "gam", "maze"));
    assertEquals(
        "custom_envs.Game.env_type: no roll.env 'maz' is registered (registered: maze); did you"
            + " mean 'maze'?",
        refused("environment", "game", "maz"));
    assertEquals(
        "swap: the run uses no tracker 'chart' (it uses: none)",
        refused("tracker", "chart", "mine"));
    assertEquals(
        "swap: no kind 'env_type' (allowed: estimator, loss, curriculum, tracker, worker, strategy,"
            + " environment, manager, agent, tool, reward, player, filter)",
        refused("env_type", "game", "maze"));
  }

  @Test
  void aManagerIsOneOfTheCustomEnvironment() {
    assertEquals(
        List.of("custom_envs.Game.env_manager_cls=step"),
        SwapOverrides.of(run, shelf, "manager", "trajectory", "step").overrides());
  }

  /** A kind of one's own: what the engine of a world is. */
  private static final class Engines implements PluginKind<World> {
    @Override
    public Class<World> type() {
      return World.class;
    }

    @Override
    public List<Option<?>> options(World engine) {
      return engine.options();
    }
  }

  @Test
  void aPluginOfAKindOfOnesOwnIsReplacedWhereThePluginsAre() {
    shelf.with("roll.engine", "fast", new World("size")).with("roll.kind", "engine", new Engines());
    Map<String, Object> options = Map.of("size", 5, "hole", 2);
    RunConfig own =
        ExampleRunConfigs.with(
            run,
            new Extensions(
                List.of(
                    new PluginConfig("engine", "slow", options),
                    new PluginConfig("engine", "other", Map.of()),
                    new PluginConfig("light", "slow", Map.of())),
                List.of()));
    SwapOverrides swap = SwapOverrides.of(own, shelf, "engine", "slow", "fast");
    assertEquals(List.of("plugins.engine={\"fast\":{\"size\":5},\"other\":{}}"), swap.overrides());
    assertEquals(
        List.of("plugins.engine.slow.hole: left out, fast has no such option"), swap.notices());
    assertEquals(
        "plugins.engine: no roll.engine 'fist' is registered (registered: fast); did you mean"
            + " 'fast'?",
        Refusal.of(own, shelf, "engine", "slow", "fist"));
    assertEquals(
        "swap: the run uses no engine 'slow' (it uses: none)",
        Refusal.of(run, shelf, "roll.engine", "slow", "fast"));
    assertEquals(0, shelf.leased());
  }

  @Test
  void aRoleOfOnesOwnGetsAnotherWorker() {
    shelf.with("roll.worker", "five", (WorkerRole) context -> null);
    RunConfig own =
        ExampleRunConfigs.with(
            run,
            new Extensions(
                List.of(),
                List.of(
                    new RoleConfig("relabel", "scaled", Position.ROLLOUT, Map.of("factor", 2)))));
    SwapOverrides swap = SwapOverrides.of(own, shelf, "worker", "scaled", "five");
    assertEquals(
        List.of("roles.relabel.worker=five", "roles.relabel.worker_config={}"), swap.overrides());
    assertEquals(
        List.of("roles.relabel.worker_config.factor: left out, five has no such option"),
        swap.notices());
    assertEquals(
        "swap: the run uses no worker 'critic' (it uses: scaled)",
        Refusal.of(own, shelf, "worker", "critic", "five"));
  }

  @Test
  void optionsOfATrackerStayWithIt() {
    RunConfig tracked = ExampleRunConfigs.tracked(run, "chart", "console");
    assertEquals(
        List.of("track_with=[\"mine\",\"console\"]", "tracker_kwargs={}"),
        SwapOverrides.of(tracked, shelf, "tracker", "chart", "mine").overrides());
  }

  private SwapOverrides swap(String kind, String from) {
    return SwapOverrides.of(run, shelf, kind, from, "maze");
  }

  private String refused(String kind, String from, String to) {
    return Refusal.of(run, shelf, kind, from, to);
  }
}
