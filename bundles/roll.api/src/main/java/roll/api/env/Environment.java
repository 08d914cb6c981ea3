package roll.api.env;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * A kind of world. The service itself is stateless; {@link #configure} returns a {@link Scenario},
 * which creates episodes. Implementations are called from many threads at once.
 */
@ConsumerType
public interface Environment {
  /** One sentence: the task and the reward. */
  String description();

  /** What {@code env_config} may contain; nothing by default. */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * Whether a recorded episode of the world with these options may be played again for whoever
   * looks at it, though others may have written the options: the world starts no program, asks no
   * server, reads no file and stays small. False by default; its episodes are then played again
   * only for runs of the process that looks.
   */
  default boolean safeToReplay(Options options) {
    return false;
  }

  /**
   * The world with these options, already checked against {@link #options()}.
   *
   * @throws roll.api.option.UserException if a value is out of range
   */
  Scenario configure(Options options);
}
