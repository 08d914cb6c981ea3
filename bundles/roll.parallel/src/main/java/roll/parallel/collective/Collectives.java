package roll.parallel.collective;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.UserException;

/**
 * Forms groups of ranks. A service; what ranks are, and how they reach each other, is its own.
 * Which one a group needs follows from where its ranks are: {@code roll.collectives} of a service
 * is {@code threads} for ranks of one process in the computer's memory, {@code gloo} for such ranks
 * in several processes, {@code nccl} for ranks on cards.
 */
@ConsumerType
public interface Collectives {
  /**
   * A new group of {@code size} ranks.
   *
   * @return the ranks of it that live in this process, by rank; the caller closes them
   */
  List<Communicator> open(int size);

  /**
   * Forms {@code group}. Every process that has a rank of it calls this, all of them for the same
   * groups in the same order, and waits until it is formed.
   *
   * @param site where the caller stands
   * @return the ranks of it that live in the process of {@code site}, by rank; the caller closes
   *     them
   * @throws UserException if what this group needs is not here, in one line
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
