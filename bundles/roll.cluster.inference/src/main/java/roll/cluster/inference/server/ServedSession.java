package roll.cluster.inference.server;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.InferSession;
import roll.cluster.Member;
import roll.cluster.inference.codec.ShownPictures;
import roll.cluster.inference.weights.ReceivedWeights;
import roll.cluster.inference.weights.ReceivedWeights.Receipt;
import roll.cluster.inference.weights.WeightImage;
import roll.cluster.inference.weights.WeightOffer;

/** A session that another node has opened here. Can be used by all threads. */
final class ServedSession {
  private final Member owner;
  private final long strategy;
  private final InferSession session;
  private final ReceivedWeights weights;
  private final ReentrantLock updating = new ReentrantLock(true);
  private final Map<Long, CompletableFuture<?>> generating = new ConcurrentHashMap<>();
  private final ShownPictures shown = new ShownPictures();
  private int running;
  private boolean closed;
  private @Nullable WeightImage used;

  /**
   * A session of {@code owner}.
   *
   * @param strategy number of the service that it lives on
   * @param weights that it gets; closed with it
   */
  ServedSession(Member owner, long strategy, InferSession session, ReceivedWeights weights) {
    this.owner = owner;
    this.strategy = strategy;
    this.session = session;
    this.weights = weights;
  }

  long strategy() {
    return strategy;
  }

  InferSession session() {
    return session;
  }

  /**
   * Pulls weights and goes over to them, one version after the other; waits for both.
   *
   * @return fails if the session was closed meanwhile
   */
  CompletableFuture<Void> update(WeightOffer offer) {
    try {
      updating.lockInterruptibly();
    } catch (InterruptedException e) {
      return interrupted(e);
    }
    try {
      Receipt receipt = weights.pull(owner, offer);
      WeightImage image = receipt.image();
      if (!image.equals(used)) {
        used = null;
        run(() -> session.update(image)).get();
        used = image;
      }
      weights.taken(receipt);
      return CompletableFuture.completedFuture(null);
    } catch (ExecutionException e) {
      return CompletableFuture.failedFuture(e.getCause());
    } catch (InterruptedException e) {
      return interrupted(e);
    } finally {
      updating.unlock();
    }
  }

  private static CompletableFuture<Void> interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return CompletableFuture.failedFuture(e);
  }

  /** Counts {@code work} as running until it has ended; fails if this session is closed. */
  <T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> work) {
    synchronized (this) {
      if (closed) {
        return CompletableFuture.failedFuture(
            new IllegalStateException("the session was closed here"));
      }
      running++;
    }
    CompletableFuture<T> result;
    try {
      result = work.get();
    } catch (RuntimeException | Error e) {
      result = CompletableFuture.failedFuture(e);
    }
    return result.whenComplete((_, _) -> ended());
  }

  private synchronized void ended() {
    running--;
    notifyAll();
  }

  /** Remembers {@code call} under {@code number}, to be cancelled, until it has ended. */
  <T> CompletableFuture<T> generating(long number, CompletableFuture<T> call) {
    generating.put(number, call);
    var unused = call.whenComplete((_, _) -> generating.remove(number));
    return call;
  }

  /** What calls that follow show. */
  ShownPictures shown() {
    return shown;
  }

  void cancel(long number) {
    var unused = shown.take(number);
    CompletableFuture<?> call = generating.get(number);
    if (call != null) {
      call.cancel(true);
    }
  }

  /** Waits until nothing runs, so long at most; takes nothing new afterward. */
  synchronized void drain(long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = millis; running > 0 && left > 0; ) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
    closed = true;
  }

  /** Closes the session, whatever runs. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    generating.values().forEach(call -> call.cancel(true));
    session.close();
    weights.close();
  }
}
