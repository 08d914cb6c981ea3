package roll.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.AgentConfig;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.config.RewardConfig;
import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.plugin.PluginReference;
import roll.api.reward.AnswerGrader;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.sandbox.Isolation;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;
import roll.api.strategy.Sampling;
import roll.api.tool.Tool;
import roll.api.tool.ToolSet;
import roll.runtime.config.RunConfig;
import roll.sandbox.SandboxOptions;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;

/** Plugins that a run needs in addition to those named in its configuration. */
class PluginDependenciesTest {
  private final InMemoryPluginRegistry shelf =
      new InMemoryPluginRegistry()
          .with("roll.reward", "judged", new Judged())
          .with("roll.reward", "scored", new Scored());

  private static RunConfig run(Map<String, Object> reward) {
    return run(reward, Map.of("sandbox", "box"));
  }

  private static RunConfig run(Map<String, Object> reward, Map<String, Object> tool) {
    AgentConfig agent =
        new AgentConfig("hf", Map.of("python", tool), 0, 5, true, 60, 1024, AgentConfig.Side.LEFT);
    return run(new RewardConfig("judged", 1, reward), agent);
  }

  private static RunConfig run(RewardConfig reward, @Nullable AgentConfig agent) {
    return ExampleRunConfigs.with(
        ExampleRunConfigs.small(Path.of("folder"), 1),
        new EnvConfig(
            "Game",
            "game",
            "trajectory",
            EnvLimits.steps(2),
            PromptConfig.of("{}"),
            Map.of(),
            List.of(reward),
            agent));
  }

  private List<String> missing() {
    return PluginRequirement.rollouts(run(Map.of()), shelf).stream()
        .filter(requirement -> requirement.missing(shelf))
        .map(requirement -> requirement.notice())
        .map(notice -> notice.replaceFirst(".*(roll.*):.*", "$1"))
        .toList();
  }

  @Test
  void graderAndSandboxAreWaitedFor() {
    List<String> before = missing();
    assertTrue(before.contains("roll.tool=python"), before::toString);
    assertTrue(before.contains("roll.grader=exact"), before::toString);
    assertFalse(before.contains("roll.sandbox=box"), "a tool that is not there says nothing");
    shelf.with("roll.tool", "python", new Python());
    List<String> then = missing();
    assertTrue(then.contains("roll.sandbox=box"), then::toString);
    assertEquals(0, shelf.leased());
  }

  @Test
  void whatAnEnvironmentUsesIsWaitedFor() {
    assertFalse(missing().contains("roll.sandbox=walls"));
    shelf.with("roll.env", "game", new Walled());
    List<String> then = missing();
    assertTrue(then.contains("roll.sandbox=walls"), then::toString);
    assertEquals(0, shelf.leased());
  }

  @Test
  void whatStopsProgramsIsSaid() {
    shelf.with("roll.tool", "python", new Python());
    RunConfig required = run(Map.of(), Map.of("sandbox", "box"));
    RunConfig effort = run(Map.of(), Map.of("sandbox", "box", "isolation", "best_effort"));
    assertEquals(Set.of(), new PluginDependencies(shelf).boundaries(required), "it is not there");
    shelf.with("roll.sandbox", "box", new Open());
    assertEquals(Set.of("box: best_effort"), new PluginDependencies(shelf).boundaries(effort));
    assertEquals(
        "custom_envs.Game.agent.tool_config.python.isolation: box: no walls",
        userError(() -> new PluginDependencies(shelf).boundaries(required)));
    RunConfig unknown = run(Map.of(), Map.of("sandbox", "box", "isolation", "non"));
    assertEquals(
        "custom_envs.Game.agent.tool_config.python.isolation: expected one of required,"
            + " best_effort, none, found 'non'; did you mean 'none'?",
        userError(() -> new PluginDependencies(shelf).boundaries(unknown)));
    assertEquals(0, shelf.leased());
  }

  @Test
  void aModelThatIsNotThereIsRefused() {
    RunConfig run = run(Map.of("model", "solvr"));
    assertEquals(
        "custom_envs.Game.rewards.judged.model: no model 'solvr' in reward_models (allowed: none)",
        userError(() -> new PluginDependencies(shelf).models(run, run.rollout().trainEnvs())));
    assertEquals(0, shelf.leased());
  }

  /** One that writes is not asked for scores, nor one with a head for words. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "judged | writer |",
        "scored | rm |",
        "judged | rm | reward_models.rm scores by a head (model_args.model_type) and writes"
            + " nothing",
        "scored | writer | reward_models.writer writes; give model_args.model_type:"
            + " auto_sequence_classification there to score by its head",
        "scored | r | no model 'r' in reward_models (allowed: writer, rm); did you mean 'rm'?",
      })
  void aModelDoesWhatItsRewardAsks(String reward, String model, @Nullable String complaint) {
    RunConfig run =
        ExampleRunConfigs.withRewardModel(
            ExampleRunConfigs.withRewardModel(
                run(new RewardConfig(reward, 1, Map.of("model", model)), null),
                "writer",
                Sampling.of(4)),
            "rm",
            null);
    PluginDependencies dependencies = new PluginDependencies(shelf);
    if (complaint == null) {
      assertEquals(Set.of(model), dependencies.models(run, run.rollout().trainEnvs()));
    } else {
      assertEquals(
          "custom_envs.Game.rewards." + reward + ".model: " + complaint,
          userError(() -> dependencies.models(run, run.rollout().trainEnvs())));
    }
    assertEquals(0, shelf.leased());
  }

  /** A reward with a model that scores. */
  private static final class Scored implements RewardFunction {
    private static final Option<String> MODEL = Option.text("model", "who scores");

    @Override
    public String description() {
      return "nothing";
    }

    @Override
    public List<Option<?>> options() {
      return List.of(MODEL);
    }

    @Override
    public Reward configure(Options options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<Option<String>> scorers(Options options) {
      return List.of(MODEL);
    }
  }

  /** A reward with a grader and a model. */
  private static final class Judged implements RewardFunction {
    private static final Option<String> MODEL = Option.text("model", "who judges");
    private static final Option<String> GRADER =
        Option.text("grader", "who compares").withDefault("exact");

    @Override
    public String description() {
      return "nothing";
    }

    @Override
    public List<Option<?>> options() {
      return List.of(MODEL, GRADER);
    }

    @Override
    public Reward configure(Options options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<PluginReference<?>> uses(Options options) {
      return List.of(PluginReference.of(options, GRADER, AnswerGrader.class, "roll.grader"));
    }

    @Override
    public List<Option<String>> models(Options options) {
      return List.of(MODEL);
    }
  }

  /** An environment with a sandbox. */
  private static final class Walled implements Environment {
    @Override
    public String description() {
      return "nothing";
    }

    @Override
    public Scenario configure(Options options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<PluginReference<?>> uses(Options options) {
      return List.of(
          new PluginReference<>(options.where(), Sandbox.class, "roll.sandbox", "walls"));
    }
  }

  /** A tool with a sandbox. */
  private static final class Python implements Tool {
    @Override
    public String description() {
      return "nothing";
    }

    @Override
    public List<Option<?>> options() {
      return SandboxOptions.options();
    }

    @Override
    public ToolSet configure(Options options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<PluginReference<?>> uses(Options options) {
      return List.of(SandboxOptions.use(options));
    }
  }

  /** A sandbox that cannot shut programs in. */
  private static final class Open implements Sandbox {
    @Override
    public String description() {
      return "nothing";
    }

    @Override
    public String boundaries(Isolation isolation) {
      if (isolation == Isolation.REQUIRED) {
        throw new UserException("box: no walls");
      }
      return "box: " + isolation.word();
    }

    @Override
    public SandboxSession open(SandboxLimits limits) {
      throw new UnsupportedOperationException();
    }
  }
}
