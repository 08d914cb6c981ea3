package roll.cluster.training;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.cluster.inference.codec.ShownPictures;
import roll.parallel.collective.RankFailure;

/**
 * The commands of a node that decides, in its order: messages may overtake each other. Ranks wait
 * for those of other nodes, so that two commands in another order elsewhere would wait forever.
 */
final class CommandOrder {
  private final ShownPictures shown = new ShownPictures();
  private long next = 1;
  private @Nullable RankFailure ended;

  /** What commands that follow show. */
  ShownPictures shown() {
    return shown;
  }

  /**
   * Begins {@code command} when all before it have begun; it must not wait for what it begins.
   *
   * @param number of the command, from 1
   * @throws RankFailure if the order has ended
   */
  <T> T begin(long number, Supplier<T> command) throws InterruptedException {
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

  /** Nothing begins any more. */
  synchronized void end(String why) {
    shown.clear();
    ended = new RankFailure(why);
    notifyAll();
  }
}
