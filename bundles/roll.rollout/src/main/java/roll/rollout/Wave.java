package roll.rollout;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;

/**
 * Where episodes wait for their responses. A wave is full when every episode that still runs has
 * asked; what is generated together is thereby decided by the data and not by who came first.
 */
final class Wave {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private SortedMap<Seat, Ask> asked = new TreeMap<>();
  private int running;

  /** A wave for so many episodes. */
  Wave(int episodes) {
    running = episodes;
  }

  /** An episode that waits for a response. */
  record Ask(GenerationRequest request, CompletableFuture<Generation> answer) {}

  /** Waits, on the episode's thread, for the response to {@code request}. */
  Generation ask(Seat seat, GenerationRequest request) throws InterruptedException {
    Ask ask = new Ask(request, new CompletableFuture<>());
    lock.lock();
    try {
      asked.put(seat, ask);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      return ask.answer().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("an answer never fails", e);
    }
  }

  /** An episode ended, well or not. */
  void leave() {
    lock.lock();
    try {
      running--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the wave is full and takes it, in the order of the seats; empty if all ended. */
  SortedMap<Seat, Ask> take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (asked.size() < running) {
        changed.await();
      }
      SortedMap<Seat, Ask> full = asked;
      asked = new TreeMap<>();
      return full;
    } finally {
      lock.unlock();
    }
  }
}
