package roll.parallel.collective;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of a group of threads: a barrier, the memory that ranks expose to each other,
 * and messages.
 */
final class ThreadExchange {
  /** Spins at a barrier before the thread sleeps: about 50 µs. */
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

  /** Exposes {@code memory} to the other ranks and waits until all have exposed theirs. */
  void show(int rank, MemorySegment memory) {
    shown[rank] = memory;
    await();
  }

  /** Returns the memory that rank {@code rank} exposes. */
  MemorySegment shown(int rank) {
    return shown[rank];
  }

  /** Waits until all ranks have called this. */
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

  /** Queues {@code message} for the rank {@code to}. */
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

  /** Ends all waiting with {@code cause}; the first cause counts. */
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

  /** Clears failure and messages of the group. */
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
