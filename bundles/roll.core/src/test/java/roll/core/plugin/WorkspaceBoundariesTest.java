package roll.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.config.AgentConfig;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.plugin.PluginReference;
import roll.api.sandbox.Isolation;
import roll.api.tool.Tool;
import roll.api.tool.ToolSet;
import roll.api.workspace.WorkspaceLimits;
import roll.api.workspace.WorkspacePool;
import roll.api.workspace.WorkspaceProvider;
import roll.runtime.config.RunConfig;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;

/** A run and {@code check} list how workspaces isolate commands. */
class WorkspaceBoundariesTest {
  private final InMemoryPluginRegistry shelf =
      new InMemoryPluginRegistry()
          .with("roll.tool", "shell", new Shell())
          .with("roll.workspace", "box", new Open());

  private static RunConfig run(String isolation) {
    Map<String, Object> options = Map.of("workspace", "box", "isolation", isolation);
    return ExampleRunConfigs.with(
        ExampleRunConfigs.small(Path.of("folder"), 1),
        new EnvConfig(
            "Game",
            "game",
            "trajectory",
            EnvLimits.steps(2),
            PromptConfig.of("{}"),
            Map.of(),
            List.of(),
            new AgentConfig(
                "hf", Map.of("shell", options), 0, 5, true, 60, 1024, AgentConfig.Side.LEFT)));
  }

  @Test
  void workspacesAreListed() {
    assertEquals(
        Set.of("box: best_effort"), new PluginDependencies(shelf).boundaries(run("best_effort")));
    assertEquals(
        "custom_envs.Game.agent.tool_config.shell.isolation: box: no walls",
        userError(() -> new PluginDependencies(shelf).boundaries(run("required"))));
    assertEquals(0, shelf.leased());
  }

  /** A tool with a workspace. */
  private static final class Shell implements Tool {
    private static final Option<String> WORKSPACE = Option.text("workspace", "where commands run");
    private static final Option<String> ISOLATION =
        Option.choice("isolation", List.of("required", "best_effort", "none"), "isolation");

    @Override
    public String description() {
      return "nothing";
    }

    @Override
    public List<Option<?>> options() {
      return List.of(WORKSPACE, ISOLATION);
    }

    @Override
    public ToolSet configure(Options options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<PluginReference<?>> uses(Options options) {
      return List.of(
          PluginReference.of(options, WORKSPACE, WorkspaceProvider.class, "roll.workspace"));
    }
  }

  /** A provider that cannot isolate commands. */
  private static final class Open implements WorkspaceProvider {
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
    public WorkspacePool open(WorkspaceLimits limits, int size) {
      throw new UnsupportedOperationException();
    }
  }
}
