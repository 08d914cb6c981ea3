package roll.api.rollout;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.config.EnvConfig;
import roll.api.data.Trajectory;

/** Plays episodes of a policy and builds the training samples. Stateless. */
@ConsumerType
public interface EnvManager {
  /**
   * Checks the parts of {@code config} that this manager reads, before the run; accepts everything
   * by default.
   *
   * @throws roll.api.option.UserException if a template or limit is invalid
   */
  default void check(EnvConfig config) {}

  /** Plays one complete episode; runs on a virtual thread and may block. */
  Trajectory play(EpisodeContext context) throws InterruptedException;
}
