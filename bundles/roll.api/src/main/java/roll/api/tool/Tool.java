package roll.api.tool;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.plugin.PluginReference;

/**
 * Something an agent may call, or several related things, such as those of a server. The service
 * itself is stateless; {@link #configure} returns the tools with their options. Called from many
 * threads at once.
 */
@ConsumerType
public interface Tool {
  /** One sentence: what it does, for humans. */
  String description();

  /** What {@code custom_envs.<tag>.agent.tool_config.<id>} may contain; nothing by default. */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * The tools with these options, already checked against {@link #options()}; the caller closes
   * them.
   *
   * @throws roll.api.option.UserException if a value is out of range, or what they need is not
   *     there (a file, a key, a server)
   */
  ToolSet configure(Options options);

  /** The plugins that tools with these options use, such as their sandbox; none by default. */
  default List<PluginReference<?>> uses(Options options) {
    return List.of();
  }
}
