package roll.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.config.EnvConfig;
import roll.api.config.OptionInfo;
import roll.api.config.Options;
import roll.api.config.RunConfig;
import roll.api.config.UserException;
import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.api.rollout.EnvManager;
import roll.api.tracking.Tracker;
import roll.testkit.Runs;
import roll.testkit.Shelf;

/** What changes in a configuration where one plugin takes the place of another. */
class SwapTest {
  private final RunConfig run = Runs.small(Path.of("folder"), 1);
  private final Shelf shelf =
      new Shelf()
          .with("roll.env", "maze", new World("size"))
          .with("roll.env.manager", "step", (EnvManager) context -> null)
          .with("roll.tracker", "mine", (Tracker) tracked -> null);

  /** A world nobody enters. */
  private record World(String option) implements Environment {
    @Override
    public String description() {
      return "nothing";
    }

    @Override
    public List<OptionInfo> options() {
      return List.of(new OptionInfo(option, OptionInfo.Type.INTEGER, 4, "cells"));
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
        Runs.with(
            run, new EnvConfig("Game", "game", "trajectory", 2, 0, 5, 0, null, "{}", options));
    Swap swap = Swap.of(sized, shelf, "roll.env", "game", "maze");
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
        "swap: no kind 'env_type' (allowed: environment, manager, estimator, loss, reward,"
            + " tracker, strategy)",
        refused("env_type", "game", "maze"));
  }

  @Test
  void aManagerIsOneOfTheCustomEnvironment() {
    assertEquals(
        List.of("custom_envs.Game.env_manager_cls=step"),
        Swap.of(run, shelf, "manager", "trajectory", "step").overrides());
  }

  private Swap swap(String kind, String from) {
    return Swap.of(run, shelf, kind, from, "maze");
  }

  private String refused(String kind, String from, String to) {
    return String.valueOf(
        assertThrows(UserException.class, () -> Swap.of(run, shelf, kind, from, to)).getMessage());
  }
}
