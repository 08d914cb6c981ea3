package roll.api.rollout;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.data.Trajectory;

/** Selects groups of a rollout that are not worth training on; others are played instead. */
@ConsumerType
public interface GroupFilter {
  /**
   * Whether {@code group} is dropped. Called from many threads at once.
   *
   * @param group its trajectories by member, all of them finished
   */
  boolean drops(List<Trajectory> group);
}
