package roll.api.rollout;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.data.Trajectory;

/** How a policy plays an episode, and what of it becomes training samples. Stateless. */
@ConsumerType
public interface EnvManager {
  /** Plays one episode to its end; runs on a virtual thread and may block. */
  Trajectory play(EpisodeContext context) throws InterruptedException;
}
