package roll.rollout;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;

/**
 * Where episodes wait for their responses. A wave is full when every episode that still runs has
 * asked; what is generated together is thereby decided by the data and not by who came first.
 */
final class Wave {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Ended> ended = new ArrayList<>();
  private SortedMap<Seat, Ask> asked = new TreeMap<>();
  private int running;
  private long firstAsked;
  private boolean nudged;

  /**
   * An episode that waits for a response.
   *
   * @param by who is to write it
   */
  record Ask(Generator by, GenerationRequest request, CompletableFuture<Generation> answer) {}

  /** One episode more runs. */
  void enter() {
    lock.lock();
    try {
      running++;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits, on the episode's thread, for the response to {@code request}. Who no longer waits
   * cancels it.
   *
   * @throws RuntimeException if it failed
   */
  Generation ask(Attempt attempt, Generator by, GenerationRequest request)
      throws InterruptedException {
    Ask ask = new Ask(by, request, new CompletableFuture<>());
    lock.lock();
    try {
      if (!attempt.isOpen()) {
        throw new CancellationException(attempt.seat() + " has ended");
      }
      if (asked.isEmpty()) {
        firstAsked = System.nanoTime();
      }
      asked.put(attempt.seat(), ask);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      return ask.answer().get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      ask.answer().cancel(true);
      throw e;
    }
  }

  /** An episode ended, well or not; its attempt is closed. */
  void end(Ended how) {
    leave(how.attempt(), () -> ended.add(how));
  }

  /** An episode is no longer needed; its attempt is closed. */
  void drop(Attempt attempt) {
    leave(attempt, () -> {});
  }

  private void leave(Attempt attempt, Runnable also) {
    lock.lock();
    try {
      running--;
      asked.remove(attempt.seat());
      also.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until every episode that runs has asked, and says which ended since the last time, in the
   * order of the seats.
   */
  List<Ended> settle() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (asked.size() < running) {
        changed.await();
      }
      return ended();
    } finally {
      lock.unlock();
    }
  }

  private List<Ended> ended() {
    List<Ended> since = new ArrayList<>(ended);
    ended.clear();
    since.sort(Ended.ORDER);
    return since;
  }

  /**
   * Waits until an episode has ended, somebody nudges, or a wave is {@link #due}; says which ended
   * since the last time.
   *
   * @param linger nanoseconds
   */
  List<Ended> gather(long linger) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (ended.isEmpty() && !nudged && !due(linger)) {
        if (asked.isEmpty()) {
          changed.await();
        } else {
          changed.awaitNanos(Math.max(1, firstAsked + linger - System.nanoTime()));
        }
      }
      nudged = false;
      return ended();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether it is time to answer: all that run have asked, or the first that did has waited for the
   * others long enough.
   *
   * @param linger nanoseconds
   */
  boolean due(long linger) {
    lock.lock();
    try {
      return !asked.isEmpty()
          && (asked.size() == running || System.nanoTime() - firstAsked >= linger);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the wait of {@link #gather}. */
  void nudge() {
    lock.lock();
    try {
      nudged = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Takes what was asked, in the order of the seats; empty if all ended. */
  SortedMap<Seat, Ask> take() {
    lock.lock();
    try {
      SortedMap<Seat, Ask> full = asked;
      asked = new TreeMap<>();
      return full;
    } finally {
      lock.unlock();
    }
  }
}
