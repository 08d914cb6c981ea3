package roll.api.rollout;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.config.EnvConfig;
import roll.api.data.Trajectory;

/** How a policy plays an episode, and what of it becomes training samples. Stateless. */
@ConsumerType
public interface EnvManager {
  /**
   * Checks what this manager reads of {@code config}, before anything is played; the standard
   * accepts everything.
   *
   * @throws roll.api.option.UserException if a template or limit is wrong
   */
  default void check(EnvConfig config) {}

  /** Plays one episode to its end; runs on a virtual thread and may block. */
  Trajectory play(EpisodeContext context) throws InterruptedException;
}
