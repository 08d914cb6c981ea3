package roll.cluster.inference;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.memory.SessionMemory;
import roll.api.strategy.AsyncCalls;
import roll.api.strategy.EngineLoad;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.cluster.Member;
import roll.cluster.inference.weights.NativeWeights;
import roll.cluster.inference.weights.ReceivedWeights;
import roll.cluster.inference.weights.ReceivedWeights.Receipt;
import roll.cluster.inference.weights.WeightOffer;

/** A session that another node has opened here. Thread-safe. */
final class HostedSession implements InferenceHost.Session {
  private final Member owner;
  private final long strategy;
  private final InferSession session;
  private final ReceivedWeights weights;
  private final ReentrantLock updating = new ReentrantLock(true);
  private final Set<CompletableFuture<?>> generating = ConcurrentHashMap.newKeySet();
  private int running;
  private boolean closed;
  private @Nullable NativeWeights used;

  /**
   * Creates a session of {@code owner}.
   *
   * @param strategy number of its strategy service
   * @param weights of the session; closed with it
   */
  HostedSession(Member owner, long strategy, InferSession session, ReceivedWeights weights) {
    this.owner = owner;
    this.strategy = strategy;
    this.session = session;
    this.weights = weights;
  }

  long strategy() {
    return strategy;
  }

  @Override
  public CompletableFuture<List<ResponseMessage>> generate(List<GenerationRequest> requests) {
    if (requests.stream().anyMatch(request -> request.prompt().length == 0)) {
      throw new IllegalArgumentException("a prompt is empty");
    }
    CompletableFuture<List<Generation>> call = run(() -> session.generate(requests));
    generating.add(call);
    var unused = call.whenComplete((_, _) -> generating.removeIf(each -> each == call));
    return AsyncCalls.then(call, written -> written.stream().map(ResponseMessage::of).toList());
  }

  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    return run(() -> session.score(batch));
  }

  @Override
  public CompletableFuture<EngineLoad> load() {
    return session.load();
  }

  @Override
  public CompletableFuture<Void> sleep() {
    return run(session::sleep);
  }

  @Override
  public CompletableFuture<Void> wake() {
    return run(session::wake);
  }

  @Override
  public CompletableFuture<Map<String, Double>> metrics() {
    return CompletableFuture.completedFuture(session.metrics());
  }

  @Override
  public CompletableFuture<List<SessionMemory>> peakMemory() {
    return CompletableFuture.completedFuture(session.peakMemory());
  }

  /** Pulls weights and has the session use them, one version after the other; waits for both. */
  @Override
  public CompletableFuture<Void> update(WeightOffer offer) {
    try {
      updating.lockInterruptibly();
    } catch (InterruptedException e) {
      return interrupted(e);
    }
    try {
      Receipt receipt = weights.pull(owner, offer);
      NativeWeights image = receipt.image();
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

  /** Counts {@code work} as running until it has ended; fails if the session is closed. */
  private <T> CompletableFuture<T> run(Supplier<CompletableFuture<T>> work) {
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
    var unused = result.whenComplete((_, _) -> ended());
    return result;
  }

  private synchronized void ended() {
    running--;
    notifyAll();
  }

  /** Waits for the running calls, at most {@code millis}, and takes no more calls. */
  synchronized void drain(long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = millis; running > 0 && left > 0; ) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
    closed = true;
  }

  /** Cancels running calls and closes the session. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    generating.forEach(call -> call.cancel(true));
    session.close();
    weights.close();
  }
}
