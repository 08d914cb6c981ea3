package roll.api.rollout;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.data.Trajectory;

/** Drops groups of a rollout that carry no training signal; they are replaced by new ones. */
@ConsumerType
public interface GroupFilter {
  /**
   * Whether the filter drops {@code group} from the rollout. Called from many threads at once.
   *
   * @param group its trajectories by member, all of them finished
   */
  boolean drops(List<Trajectory> group);
}
