package roll.api.rollout;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.data.Trajectory;

/** Says which groups of a rollout are not worth training on; others are played in their place. */
@ConsumerType
public interface GroupFilter {
  /**
   * Whether {@code group} is dropped. Called from many threads at once.
   *
   * @param group its trajectories by member, all of them finished
   */
  boolean drops(List<Trajectory> group);
}
