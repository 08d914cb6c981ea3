package roll.parallel.collective;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Where the ranks of a group wait for each other, show each other memory and leave messages. */
final class ThreadExchange {
  /** Looks at a barrier that is about to open before the thread goes to sleep: about 50 µs. */
  private static final int SPINS = 2000;

  private final int ranks;
  private final boolean spins;
  private final MemorySegment[] shown;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Integer, Deque<byte[]>> mail = new HashMap<>();
  private int arrived;
  private volatile int generation;
  private volatile @Nullable Throwable failure;

  ThreadExchange(int ranks) {
    this.ranks = ranks;
    this.spins = ranks <= Runtime.getRuntime().availableProcessors();
    this.shown = new MemorySegment[ranks];
  }

  int ranks() {
    return ranks;
  }

  /** Shows {@code memory} to the others and waits until all have shown theirs. */
  void show(int rank, MemorySegment memory) {
    shown[rank] = memory;
    await();
  }

  /** What rank {@code rank} shows. */
  MemorySegment shown(int rank) {
    return shown[rank];
  }

  /** Waits until all ranks are here. */
  void await() {
    int before;
    lock.lock();
    try {
      check();
      before = generation;
      if (++arrived == ranks) {
        arrived = 0;
        generation = before + 1;
        changed.signalAll();
        return;
      }
    } finally {
      lock.unlock();
    }
    for (int i = 0; spins && i < SPINS && generation == before; i++) {
      Thread.onSpinWait();
    }
    lock.lock();
    try {
      while (generation == before) {
        check();
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Leaves {@code message} for {@code to}. */
  void leave(int from, int to, byte[] message) {
    lock.lock();
    try {
      check();
      mail.computeIfAbsent(from * ranks + to, pair -> new ArrayDeque<>()).add(message);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the next message from {@code from} to {@code to}. */
  byte[] take(int from, int to) {
    lock.lock();
    try {
      Deque<byte[]> waiting = mail.computeIfAbsent(from * ranks + to, pair -> new ArrayDeque<>());
      while (true) {
        check();
        byte[] message = waiting.poll();
        if (message != null) {
          return message;
        }
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void check() {
    Throwable cause = failure;
    if (cause != null) {
      throw RankFailure.of(cause);
    }
  }

  /** Ends all waiting; the first cause counts. */
  void abort(Throwable cause) {
    lock.lock();
    try {
      if (failure == null) {
        failure = cause;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** As if nothing had been said. */
  void reset() {
    lock.lock();
    try {
      failure = null;
      arrived = 0;
      mail.clear();
    } finally {
      lock.unlock();
    }
  }
}
