package roll.cluster.training;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.parallel.collective.RankFailure;

/**
 * The commands of a node that decides, in its order: messages may overtake each other. Ranks wait
 * for those of other nodes, so that two commands in another order elsewhere would wait forever.
 */
final class CommandOrder {
  private final Map<Long, List<Picture>> shown = new ConcurrentHashMap<>();
  private long next = 1;
  private @Nullable RankFailure ended;

  /** Some pictures of command {@code number} have come, which follows. */
  void show(long number, List<Picture> pictures) {
    shown.merge(number, pictures, (a, b) -> Stream.concat(a.stream(), b.stream()).toList());
  }

  /** All pictures that came for command {@code number}, in their order; nobody else gets them. */
  List<Picture> shown(long number) {
    List<Picture> pictures = shown.remove(number);
    return pictures == null ? List.of() : pictures;
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
