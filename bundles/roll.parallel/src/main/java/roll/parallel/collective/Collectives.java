package roll.parallel.collective;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.UserException;

/**
 * A service that forms groups of ranks. The location of the ranks determines the service: its
 * property {@code roll.collectives} is {@code threads} for CPU ranks of one process, {@code gloo}
 * for CPU ranks in several processes, {@code nccl} for ranks on cards.
 */
@ConsumerType
public interface Collectives {
  /**
   * Forms a new group of {@code size} ranks.
   *
   * @return the communicators of the ranks in this process, by rank; the caller closes them
   */
  List<Communicator> open(int size);

  /**
   * Forms the rank group {@code group} in this process. Every process with a rank of it calls this,
   * for the same groups in the same order, and waits until the group is formed.
   *
   * @param site this process
   * @return the communicators of the ranks in the process of {@code site}, by rank; the caller
   *     closes them
   * @throws UserException if the collectives for this group are not installed, in one line
   * @throws RankFailure if it was not formed within its limit
   */
  default List<Communicator> open(RankGroup group, LocalProcess site) {
    if (!group.within(site.process()) || group.members().stream().anyMatch(RankLocation::onCard)) {
      throw new UserException(
          "%s: these collectives are for ranks of one process on the CPU, not for %s"
              .formatted(group.label(), group.members()));
    }
    return open(group.size());
  }
}
