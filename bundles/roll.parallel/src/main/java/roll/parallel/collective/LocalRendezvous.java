package roll.parallel.collective;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A rendezvous of threads of one process. */
final class LocalRendezvous implements Rendezvous {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, Said> open = new HashMap<>();

  /** The values exchanged under a name. */
  private static final class Said {
    final byte[][] all;
    int count;
    int taken;

    Said(int size) {
      all = new byte[size][];
    }
  }

  @Override
  public List<byte[]> exchange(String name, int size, int index, byte[] own, Duration limit) {
    lock.lock();
    try {
      Said said = open.computeIfAbsent(name, any -> new Said(size));
      said.all[index] = own.clone();
      if (++said.count == size) {
        changed.signalAll();
      }
      long left = limit.toNanos();
      while (said.count < size) {
        if (left <= 0) {
          throw new RankFailure(
              "%s: %d of %d ranks came within %d s"
                  .formatted(name, said.count, size, limit.toSeconds()));
        }
        left = changed.awaitNanos(left);
      }
      if (++said.taken == size) {
        open.remove(name);
      }
      return Arrays.asList(said.all);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new RankFailure(name + ": interrupted", interrupted);
    } finally {
      lock.unlock();
    }
  }
}
