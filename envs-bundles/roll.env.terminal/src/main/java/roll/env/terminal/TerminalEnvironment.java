package roll.env.terminal;

import java.util.List;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.env.Environment;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.plugin.PluginReference;
import roll.api.plugin.Plugins;

/** Tasks in a shell: the agent acts by tools in a workspace, and the tests of the task grade it. */
@Component(name = "roll.env.terminal")
@RollEnv("terminal")
@Requirement(namespace = "roll.workspace", filter = "(roll.workspace=local)", effective = "active")
public final class TerminalEnvironment implements Environment {
  private final Plugins plugins;

  /** Creates the environment with the workspaces in {@code plugins}. */
  @Activate
  public TerminalEnvironment(@Reference Plugins plugins) {
    this.plugins = plugins;
  }

  @Override
  public String description() {
    return "Work on a task in a shell, by tools; the reward is what the tests of the task give.";
  }

  @Override
  public List<Option<?>> options() {
    return TerminalOptions.ALL;
  }

  @Override
  public List<PluginReference<?>> uses(Options options) {
    return List.of(TerminalOptions.workspace(options));
  }

  @Override
  public Scenario configure(Options options) {
    return TerminalScenario.of(options, plugins);
  }
}
