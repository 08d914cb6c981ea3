package roll.api.rollout;

import org.osgi.annotation.versioning.ConsumerType;
import roll.api.env.Episode;

/** Observes an episode after its start and after each step, for example to render frames. */
@ConsumerType
@FunctionalInterface
public interface Recorder {
  /** A recorder that ignores the episode. */
  Recorder NONE = episode -> {};

  /** Called with the episode in its current state, on the episode's thread. */
  void look(Episode episode);
}
