package roll.rollout.generation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import roll.api.scoring.SequenceScorer;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.rollout.supervise.Attempt;
import roll.rollout.supervise.AttemptResult;
import roll.rollout.supervise.EpisodeActivity;
import roll.rollout.supervise.EpisodeSlot;
import roll.runtime.trace.Span;

/**
 * A barrier at which episodes wait for responses. A batch is complete when every running episode
 * has a pending request, so the batches depend on the data and not on timing.
 */
public final class GenerationBarrier {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<AttemptResult> ended = new ArrayList<>();
  private SortedMap<EpisodeSlot, PendingRequest> pending = new TreeMap<>();

  /** The attempts of the pending requests: a slot that is played again has several. */
  private final Map<EpisodeSlot, Attempt> asking = new HashMap<>();

  private int running;
  private long firstAsked;

  /** When all running episodes but one had a pending request; 0 where more have none. */
  private long oneLeft;

  private @Nullable Arrival arrival;
  private boolean awakened;

  /**
   * An episode that asked for a response, or ended.
   *
   * @param shares of its activities since its last response
   * @param aloneNanos since when all other running episodes had a pending request; 0 if one had not
   */
  public record Arrival(EpisodeSlot slot, Map<EpisodeActivity, Double> shares, long aloneNanos) {}

  /** Adds one running episode to the barrier. */
  public void enter() {
    lock.lock();
    try {
      running++;
      oneLeft = 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits, on the episode's thread, for the response of {@code model} to {@code request}. An
   * interrupt cancels the request.
   *
   * @param span of the request
   * @throws RuntimeException if the request failed
   */
  public Generation generate(Attempt attempt, Generator model, GenerationRequest request, Span span)
      throws InterruptedException {
    PendingAnswer<Generation> answer = new PendingAnswer<>();
    add(attempt, new PendingRequest.Response(model, request, answer));
    Generation given = await(attempt, answer, span);
    span.set("gen_ai.usage.output_tokens", (long) given.tokens().length);
    return given;
  }

  /** Waits for the score of {@code sequence} by the reward model {@code model}. */
  public double score(Attempt attempt, SequenceScorer model, int[] sequence, Span span)
      throws InterruptedException {
    PendingAnswer<Double> answer = new PendingAnswer<>();
    add(attempt, new PendingRequest.Score(model, sequence, answer));
    return await(attempt, answer, span);
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
      arrived(attempt);
      pending.put(attempt.slot(), ask);
      asking.put(attempt.slot(), attempt);
      leftOver();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void arrived(Attempt attempt) {
    long alone = oneLeft == 0 ? 0 : System.nanoTime() - oneLeft;
    arrival = new Arrival(attempt.slot(), attempt.times().shares(), alone);
  }

  private void leftOver() {
    boolean one = running - pending.size() == 1;
    oneLeft = one ? oneLeft == 0 ? System.nanoTime() : oneLeft : 0;
  }

  private static <A> A await(Attempt attempt, PendingAnswer<A> answer, Span span)
      throws InterruptedException {
    try {
      A given = answer.get();
      attempt.times().restart();
      return given;
    } catch (ExecutionException e) {
      RuntimeException failure =
          e.getCause() instanceof RuntimeException thrown
              ? thrown
              : new IllegalStateException(e.getCause());
      span.fail(failure);
      throw failure;
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw e;
    } finally {
      answer.record(span, attempt.slot());
    }
  }

  /** Removes an episode that succeeded or failed; its attempt is closed. */
  public void end(AttemptResult how) {
    leave(how.attempt(), () -> ended.add(how));
  }

  /** Removes an episode that is no longer needed; its attempt is closed. */
  public void drop(Attempt attempt) {
    leave(attempt, () -> {});
  }

  private void leave(Attempt attempt, Runnable also) {
    lock.lock();
    try {
      arrived(attempt);
      running--;
      if (asking.remove(attempt.slot(), attempt)) {
        pending.remove(attempt.slot());
      }
      leftOver();
      also.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until every running episode has a pending request. Returns the attempts that ended since
   * the last call, by slot.
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
   * Waits until an episode ends, {@link #wake} is called, a batch is {@link #due}, or {@code most}
   * nanoseconds have passed. Returns the attempts that ended since the last call, by slot.
   *
   * @param linger nanoseconds
   */
  public List<AttemptResult> gather(long linger, long most) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long begun = System.nanoTime();
      while (ended.isEmpty() && !awakened && !due(linger)) {
        long now = System.nanoTime();
        long left = most - (now - begun);
        if (left <= 0) {
          break;
        }
        long batch = pending.isEmpty() ? Long.MAX_VALUE : firstAsked + linger - now;
        changed.awaitNanos(Math.max(1, Math.min(left, batch)));
      }
      awakened = false;
      return ended();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns whether to send the batch: every running episode has a pending request, or the oldest
   * request has waited for {@code linger}.
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

  /** Wakes the thread in {@link #gather}. */
  public void wake() {
    lock.lock();
    try {
      awakened = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Removes and returns the pending requests, by slot; empty if all episodes have ended. */
  public SortedMap<EpisodeSlot, PendingRequest> take() {
    lock.lock();
    try {
      SortedMap<EpisodeSlot, PendingRequest> full = pending;
      pending = new TreeMap<>();
      EpisodeSlot last = arrival == null ? null : arrival.slot();
      full.values().forEach(ask -> ask.answer().completedBy(last));
      asking.clear();
      oneLeft = 0;
      leftOver();
      return full;
    } finally {
      lock.unlock();
    }
  }

  /** Removes and returns the last episode that arrived; null if none did since the last call. */
  public @Nullable Arrival lastArrival() {
    lock.lock();
    try {
      Arrival last = arrival;
      arrival = null;
      return last;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of running episodes. */
  public int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }
}
