package roll.api.env;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.plugin.PluginReference;

/**
 * A type of environment that an agent can act in, such as Sokoban. The service itself is stateless;
 * {@link #configure} returns a {@link Scenario}, which creates episodes. Called from many threads
 * at once.
 */
@ConsumerType
public interface Environment {
  /** One sentence about the task and the reward. */
  String description();

  /** Options of {@code env_config}; none by default. */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * Whether recorded episodes with these options may be replayed for viewers even if the options
   * come from an untrusted run: the environment starts no program, contacts no server, reads no
   * file, and stays small. False by default; episodes are then replayed only for runs of this
   * process.
   */
  default boolean safeToReplay(Options options) {
    return false;
  }

  /** The plugins that environments with these options use; none by default. */
  default List<PluginReference<?>> uses(Options options) {
    return List.of();
  }

  /**
   * Returns the environment with these options, already checked against {@link #options()}; the
   * caller closes it.
   *
   * @throws roll.api.option.UserException if a value is out of range
   */
  Scenario configure(Options options);
}
