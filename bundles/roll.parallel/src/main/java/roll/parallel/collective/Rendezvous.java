package roll.parallel.collective;

import java.time.Duration;
import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * The exchange of addresses between the members of a group before they are connected: a few hundred
 * bytes each, through the coordinating process. For use from any thread.
 */
@ConsumerType
@FunctionalInterface
public interface Rendezvous {
  /**
   * Publishes the value of {@code index}, and waits for those of the others.
   *
   * @param name of the exchange; used once
   * @param size number of members
   * @param index number of this member, from 0
   * @param own value of this member
   * @param limit timeout
   * @return the values by index
   * @throws RankFailure if a member is late or disconnected
   */
  List<byte[]> exchange(String name, int size, int index, byte[] own, Duration limit);

  /** Returns a rendezvous of threads of this process. */
  static Rendezvous local() {
    return new LocalRendezvous();
  }
}
