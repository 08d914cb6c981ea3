package roll.shell.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.RolloutRun;
import roll.runtime.pipeline.RolloutRun.Outcome;
import roll.runtime.pipeline.RolloutRun.Tag;
import roll.shell.Gogo;
import roll.shell.terminal.HumanAgent;

/** {@code rollout} on services that only note what they are asked. */
class RolloutCommandTest {
  private final List<String> calls = new ArrayList<>();
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private final RolloutCommand command =
      new RolloutCommand(new Loader(), this::start, new HumanAgent(), null);

  private final class Loader implements ConfigLoader {
    @Override
    public LoadedConfig load(Path file, List<String> overrides) {
      throw new AssertionError("this is no training run");
    }

    @Override
    public LoadedConfig loadForRollout(Path file, List<String> overrides) {
      calls.add("load " + file + " " + overrides);
      return new LoadedConfig(file, null, "", List.of("x does nothing"), Set.of(), Map.of());
    }
  }

  private RolloutRun start(LoadedConfig config, boolean validation, int episodes) {
    calls.add("start " + (validation ? "val " : "train ") + episodes);
    return new RolloutRun() {
      @Override
      public Path folder() {
        return Path.of("output/lake");
      }

      @Override
      public void stop() {
        calls.add("stop");
        outcome.complete(new Outcome(List.of(), 0.5, true, List.of()));
      }

      @Override
      public CompletableFuture<Outcome> outcome() {
        return outcome;
      }
    };
  }

  @Test
  void theTableSaysWhatBecameOfEachTag() throws Exception {
    Tag lake =
        new Tag("Lake", 1200, 5400, OptionalDouble.of(0.25), 0.25, 33.125, OptionalInt.of(3), 0);
    Tag shop = new Tag("Shop", 8, 60, OptionalDouble.empty(), -0.5, 1024, OptionalInt.empty(), 7);
    outcome.complete(
        new Outcome(List.of(lake, shop), 2, false, List.of("episode of Lake: step threw")));
    try (Gogo gogo = new Gogo(command, "rollout")) {
      assertEquals(
          """
          notice: x does nothing
          writing to output/lake
          notice: episode of Lake: step threw
          tag   episodes  success  score   turns  tokens  failed
          Lake  1,200     25.0 %   0.250   4.5    33.1    3
          Shop  8         –        -0.500  7.5    1024.0  –
          Shop: a tool call failed in 7 of 8 episodes
          1,208 episodes, 5,460 steps in 2.00 s: 2,730 steps/s
          saved in output/lake
          """,
          gogo.run("rollout lake.yaml seed=3").replace(System.lineSeparator(), "\n"));
      assertEquals(0, gogo.session().get("exit"));
      assertEquals(List.of("load lake.yaml [seed=3]", "start train 0"), calls);
    }
  }

  @Test
  void optionsAreShortForOverrides() throws Exception {
    outcome.complete(new Outcome(List.of(), 1, false, List.of()));
    try (Gogo gogo = new Gogo(command, "rollout")) {
      gogo.run("rollout lake.yaml --agent random --episodes 12 a=1");
      gogo.run("rollout --val --agent=policy lake.yaml");
    }
    assertEquals(
        List.of(
            "load lake.yaml [train_env_manager.llm_proxy={proxy_type: random}, a=1]",
            "start train 12",
            "load lake.yaml [val_env_manager.llm_proxy={proxy_type: policy}]",
            "start val 0"),
        calls);
  }

  @Test
  void anInterruptEndsItAndSaves() {
    try (Gogo gogo = new Gogo(command, "rollout")) {
      Thread.currentThread().interrupt(); // found by the wait for the end
      gogo.call(command, "lake.yaml");
      assertEquals("stop", calls.getLast());
      assertTrue(gogo.printed().contains("stopped early, saved in output/lake"), gogo.printed());
      assertEquals(130, gogo.session().get("exit"));
    }
  }

  @Test
  void aFailureIsThrownAsItWas() {
    outcome.completeExceptionally(new UserException("the endpoint says no"));
    try (Gogo gogo = new Gogo(command, "rollout")) {
      UserException e = assertThrows(UserException.class, () -> gogo.run("rollout lake.yaml"));
      assertEquals("the endpoint says no", e.getMessage());
    }
  }

  @Test
  void mistakesAreOneLine() {
    String usage =
        "; usage: rollout <config.yaml> [key=value …] [--val] [--agent <id>] [--episodes <n>]";
    assertMistake("rollout: <config.yaml> is missing" + usage, "rollout");
    assertMistake(
        "rollout: unknown option --agnt; did you mean '--agent'?" + usage,
        "rollout a.yaml --agnt random");
    assertMistake("rollout: --agent needs a value" + usage, "rollout a.yaml --agent");
    assertMistake(
        "rollout: --agent: expected the id of an agent, found 'a b'" + usage,
        "rollout a.yaml --agent 'a b'");
    for (String number : List.of("0", "-1", "many", "3.5", "99999999999")) {
      assertTrue(
          mistake("rollout a.yaml --episodes " + number)
              .startsWith("rollout: --episodes: expected an integer"),
          number);
    }
    assertEquals(List.of(), calls);
  }

  private void assertMistake(String message, String line) {
    assertEquals(message, mistake(line));
  }

  private String mistake(String line) {
    try (Gogo gogo = new Gogo(command, "rollout")) {
      return assertThrows(UserException.class, () -> gogo.run(line)).getMessage();
    }
  }
}
