package roll.cluster.inference.pool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.WeightsHandle;

/**
 * An engine whose log-probs depend on the batch and on the cache: they are seeded with a hash of
 * all calls with the same salt, like rounding.
 */
final class CacheTrackingSession implements InferSession {
  private final Map<Long, Long> cached = new HashMap<>();
  private final RandomGenerator delays;
  int calls;

  /** Calls are answered when this completes. */
  volatile CompletableFuture<Void> allowed = CompletableFuture.completedFuture(null);

  /** One that takes times of its own. */
  CacheTrackingSession(long seed) {
    this.delays = RandomStreams.of(seed, "delays");
  }

  @Override
  public synchronized CompletableFuture<List<Generation>> generate(
      List<GenerationRequest> requests) {
    calls++;
    long micros = delays.nextInt(3000);
    return CompletableFuture.supplyAsync(
        () -> {
          LockSupport.parkNanos(1000 * micros);
          allowed.join();
          return write(requests);
        },
        Thread::startVirtualThread);
  }

  private synchronized List<Generation> write(List<GenerationRequest> requests) {
    long salt = requests.getFirst().cacheSalt();
    long hash = cached.getOrDefault(salt, 0L);
    for (GenerationRequest request : requests) {
      hash = RandomStreams.seed(hash, "prompt", Arrays.hashCode(request.prompt()));
    }
    cached.put(salt, hash);
    List<Generation> written = new ArrayList<>();
    for (GenerationRequest request : requests) {
      int[] tokens = RandomStreams.of(request.seed(), "tokens").ints(6, 0, 50).toArray();
      double[] logProbs =
          RandomStreams.of(request.seed(), "probs", hash).doubles(6).map(Math::log).toArray();
      written.add(new Generation(tokens, logProbs, logProbs, false, 0));
    }
    return written;
  }

  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<Void> update(WeightsHandle weights) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
