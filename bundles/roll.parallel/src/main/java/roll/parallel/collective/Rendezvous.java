package roll.parallel.collective;

import java.time.Duration;
import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * How the members of a group tell each other where they are before they are connected: a few
 * hundred bytes each, through whoever coordinates them. Called from several threads.
 */
@ConsumerType
@FunctionalInterface
public interface Rendezvous {
  /**
   * Gives what {@code index} has to say, and waits for what the others have.
   *
   * @param name of what is exchanged; used once
   * @param size how many say something
   * @param index which of them this is, from 0
   * @param own what this one says
   * @param limit how long to wait for the others
   * @return what each says, by index
   * @throws RankFailure if not all have said it in time, or one of them is gone
   */
  List<byte[]> exchange(String name, int size, int index, byte[] own, Duration limit);

  /** Between threads of this process. */
  static Rendezvous local() {
    return new LocalRendezvous();
  }
}
