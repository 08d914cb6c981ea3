package roll.api.rollout;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.config.EnvConfig;
import roll.api.data.Trajectory;

/** How a policy plays an episode, and which training samples it gives. Stateless. */
@ConsumerType
public interface EnvManager {
  /**
   * Checks the parts of {@code config} that this manager reads, before anything is played; accepts
   * everything by default.
   *
   * @throws roll.api.option.UserException if a template or limit is wrong
   */
  default void check(EnvConfig config) {}

  /** Plays one episode to its end; runs on a virtual thread and may block. */
  Trajectory play(EpisodeContext context) throws InterruptedException;
}
