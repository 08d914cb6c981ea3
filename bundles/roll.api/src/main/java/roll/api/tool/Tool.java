package roll.api.tool;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.plugin.PluginReference;

/**
 * A tool for agents, or several related tools, such as those of a server. The service itself is
 * stateless; {@link #configure} returns the configured tools. Called from many threads at once.
 */
@ConsumerType
public interface Tool {
  /** One sentence about the purpose of the tool, for users. */
  String description();

  /** Options of {@code custom_envs.<tag>.agent.tool_config.<id>}; none by default. */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * Returns the tools with these options, already checked against {@link #options()}; the caller
   * closes them.
   *
   * @throws roll.api.option.UserException if a value is out of range, or a file, key, or server
   *     they need is missing
   */
  ToolSet configure(Options options);

  /** The plugins that tools with these options use, such as their sandbox; none by default. */
  default List<PluginReference<?>> uses(Options options) {
    return List.of();
  }
}
