package roll.cluster.training;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.parallel.collective.RankFailure;

/**
 * Starts the commands of a coordinator in its order, although messages may overtake each other.
 * Ranks wait for those of other nodes, so commands that start in different orders would deadlock.
 */
final class CommandSequence {
  private long next = 1;
  private @Nullable RankFailure ended;

  /**
   * Starts {@code command} when all before it have been started; it must return without waiting for
   * its result.
   *
   * @param number number of the command, from 1
   * @throws RankFailure if the sequence has ended
   */
  <T> T start(long number, Supplier<T> command) throws InterruptedException {
    synchronized (this) {
      while (next != number && ended == null) {
        wait();
      }
      if (ended != null) {
        throw new RankFailure(ended);
      }
    }
    try {
      return command.get();
    } finally {
      synchronized (this) {
        next++;
        notifyAll();
      }
    }
  }

  /** Rejects all further commands to ranks. */
  synchronized void end(String why) {
    ended = new RankFailure(why);
    notifyAll();
  }
}
