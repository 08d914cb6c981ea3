package roll.rollout.generation;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import roll.api.scoring.SequenceScorer;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.rollout.supervise.Attempt;
import roll.rollout.supervise.AttemptResult;
import roll.rollout.supervise.EpisodeSlot;

/**
 * Where episodes wait for their responses. A batch is complete when every episode that still runs
 * has asked; so what is generated together depends on the data and not on timing.
 */
public final class GenerationBarrier {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<AttemptResult> ended = new ArrayList<>();
  private SortedMap<EpisodeSlot, PendingRequest> pending = new TreeMap<>();
  private int running;
  private long firstAsked;
  private boolean nudged;

  /** One episode more runs. */
  public void enter() {
    lock.lock();
    try {
      running++;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits, on the episode's thread, for the response of {@code by} to {@code request}. An interrupt
   * cancels the request.
   *
   * @throws RuntimeException if it failed
   */
  public Generation ask(Attempt attempt, Generator by, GenerationRequest request)
      throws InterruptedException {
    CompletableFuture<Generation> answer = new CompletableFuture<>();
    add(attempt, new PendingRequest.Response(by, request, answer));
    return await(answer);
  }

  /** The same for the score that {@code by} gives {@code sequence}. */
  public double ask(Attempt attempt, SequenceScorer by, int[] sequence)
      throws InterruptedException {
    CompletableFuture<Double> answer = new CompletableFuture<>();
    add(attempt, new PendingRequest.Score(by, sequence, answer));
    return await(answer);
  }

  private void add(Attempt attempt, PendingRequest ask) {
    lock.lock();
    try {
      if (!attempt.isOpen()) {
        throw new CancellationException(attempt.slot() + " has ended");
      }
      if (pending.isEmpty()) {
        firstAsked = System.nanoTime();
      }
      pending.put(attempt.slot(), ask);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static <A> A await(CompletableFuture<A> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw e;
    }
  }

  /** An episode ended, well or not; its attempt is closed. */
  public void end(AttemptResult how) {
    leave(how.attempt(), () -> ended.add(how));
  }

  /** An episode is no longer needed; its attempt is closed. */
  public void drop(Attempt attempt) {
    leave(attempt, () -> {});
  }

  private void leave(Attempt attempt, Runnable also) {
    lock.lock();
    try {
      running--;
      pending.remove(attempt.slot());
      also.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until every episode that runs has asked, and says which ended since the last time, in the
   * order of the slots.
   */
  public List<AttemptResult> settle() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (pending.size() < running) {
        changed.await();
      }
      return ended();
    } finally {
      lock.unlock();
    }
  }

  private List<AttemptResult> ended() {
    List<AttemptResult> since = new ArrayList<>(ended);
    ended.clear();
    since.sort(AttemptResult.ORDER);
    return since;
  }

  /**
   * Waits until an episode has ended, {@link #nudge} is called, a batch is {@link #due}, or for
   * {@code most} nanoseconds; says which ended since the last time.
   *
   * @param linger nanoseconds
   */
  public List<AttemptResult> gather(long linger, long most) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long begun = System.nanoTime();
      while (ended.isEmpty() && !nudged && !due(linger)) {
        long now = System.nanoTime();
        long left = most - (now - begun);
        if (left <= 0) {
          break;
        }
        long batch = pending.isEmpty() ? Long.MAX_VALUE : firstAsked + linger - now;
        changed.awaitNanos(Math.max(1, Math.min(left, batch)));
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
  public boolean due(long linger) {
    lock.lock();
    try {
      return !pending.isEmpty()
          && (pending.size() == running || System.nanoTime() - firstAsked >= linger);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the wait of {@link #gather}. */
  public void nudge() {
    lock.lock();
    try {
      nudged = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Takes what was asked, in the order of the slots; empty if all ended. */
  public SortedMap<EpisodeSlot, PendingRequest> take() {
    lock.lock();
    try {
      SortedMap<EpisodeSlot, PendingRequest> full = pending;
      pending = new TreeMap<>();
      return full;
    } finally {
      lock.unlock();
    }
  }
}
