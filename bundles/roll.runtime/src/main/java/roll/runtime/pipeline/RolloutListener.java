package roll.runtime.pipeline;

import java.awt.image.BufferedImage;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.data.Trajectory;

/** Receives the episodes of a rollout while it is played. */
@ProviderType
@FunctionalInterface
public interface RolloutListener {
  /** A listener that ignores all episodes. */
  RolloutListener NONE = (trajectory, frames) -> {};

  /**
   * Reports an episode that was played to its end. Called on the episode's thread, from many at
   * once; whether the episode belongs to the result of the rollout is not yet known.
   *
   * @param frames its pictures, if it is drawn
   */
  void played(Trajectory trajectory, List<BufferedImage> frames);
}
