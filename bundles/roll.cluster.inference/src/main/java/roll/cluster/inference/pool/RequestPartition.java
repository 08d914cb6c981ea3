package roll.cluster.inference.pool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.api.strategy.AsyncCalls;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;

/**
 * Conversations that are batched together and with no others, between two changes of weights. They
 * share no cache entries with other partitions, so that their results depend bit for bit on their
 * own requests and not on the other work of an engine. An engine that takes over a partition first
 * gets the earlier calls of the partition.
 */
final class RequestPartition {
  private final AtomicLong salts;
  private final List<List<GenerationRequest>> answered = new ArrayList<>();

  /** Earlier conversations by their pictures, in lexicographic order to find common prefixes. */
  private final Map<List<Picture>, NavigableSet<int[]>> texts = new HashMap<>();

  private @Nullable PoolEngine engineInUse;
  private long salt;

  /**
   * Creates a partition without calls.
   *
   * @param salts counter of the salts of all partitions
   */
  RequestPartition(AtomicLong salts) {
    this.salts = salts;
  }

  /**
   * Returns the length of the longest common prefix of {@code request} with an earlier conversation
   * whose pictures are the first ones of the request.
   */
  synchronized int common(GenerationRequest request) {
    int[] prompt = request.prompt();
    int most = 0;
    for (int count = 0; count <= request.pictures().size(); count++) {
      NavigableSet<int[]> some = texts.get(request.pictures().subList(0, count));
      if (some != null) {
        most = Math.max(most, common(prompt, some.floor(prompt)));
        most = Math.max(most, common(prompt, some.higher(prompt)));
      }
    }
    return most;
  }

  private static int common(int[] prompt, int @Nullable [] text) {
    int mismatch = text == null ? 0 : Arrays.mismatch(prompt, text);
    return mismatch < 0 ? prompt.length : mismatch;
  }

  /** Calls {@code engine}, after the earlier calls of the partition if the engine takes it over. */
  synchronized CompletableFuture<List<Generation>> ask(
      PoolEngine engine, List<GenerationRequest> requests) {
    List<List<GenerationRequest>> calls = new ArrayList<>();
    if (!engine.equals(engineInUse)) {
      engineInUse = engine;
      salt = salts.incrementAndGet();
      calls.addAll(answered);
    }
    calls.add(requests);
    CompletableFuture<List<Generation>> last = new CompletableFuture<>();
    ask(engine, calls.stream().map(call -> salted(call, salt)).toList(), 0, last);
    return last;
  }

  /**
   * Makes the calls of the partition one after another; canceling {@code last} cancels the running
   * one.
   */
  private void ask(
      PoolEngine engine,
      List<List<GenerationRequest>> calls,
      int number,
      CompletableFuture<List<Generation>> last) {
    CompletableFuture<List<Generation>> call = engine.session().generate(calls.get(number));
    CompletableFuture<Boolean> next =
        AsyncCalls.then(
            call,
            generations -> {
              if (number == calls.size() - 1) {
                return last.complete(generations);
              }
              ask(engine, calls, number + 1, last);
              return true;
            });
    var unused =
        next.whenComplete(
            (_, failure) -> {
              if (failure != null) {
                leave(engine);
                last.completeExceptionally(failure);
              }
            });
    cancel(call, last);
  }

  /** Cancels {@code call} when {@code last} is canceled. */
  private static void cancel(CompletableFuture<?> call, CompletableFuture<?> last) {
    var unused =
        last.whenComplete(
            (_, _) -> {
              if (last.isCancelled()) {
                call.cancel(true);
              }
            });
  }

  private synchronized void leave(PoolEngine engine) {
    if (engine.equals(engineInUse)) {
      engineInUse = null;
    }
  }

  private static List<GenerationRequest> salted(List<GenerationRequest> requests, long salt) {
    return requests.stream().map(request -> request.withCacheSalt(salt)).toList();
  }

  /** Records the responses to {@code requests} in the partition. */
  synchronized void record(List<GenerationRequest> requests, List<Generation> generations) {
    answered.add(requests);
    for (int i = 0; i < requests.size(); i++) {
      int[] prompt = requests.get(i).prompt();
      int[] response = generations.get(i).tokens();
      int[] text = Arrays.copyOf(prompt, prompt.length + response.length);
      System.arraycopy(response, 0, text, prompt.length, response.length);
      texts
          .computeIfAbsent(requests.get(i).pictures(), shown -> new TreeSet<>(Arrays::compare))
          .add(text);
    }
  }
}
