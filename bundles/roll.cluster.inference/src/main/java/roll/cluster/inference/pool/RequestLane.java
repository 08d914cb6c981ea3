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
import roll.api.strategy.Calls;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;

/**
 * Conversations that are computed together and with no others, between two changes of weights. What
 * an engine caches for them is found by them alone, so that their results, the last bit included,
 * follow from their own requests and not from what else an engine had to do. An engine that takes
 * over from a lost one is first asked what that one was asked.
 */
final class RequestLane {
  private final AtomicLong salts;
  private final List<List<GenerationRequest>> answered = new ArrayList<>();

  /** By what they show, in lexicographic order, where the longest common beginning is near. */
  private final Map<List<Picture>, NavigableSet<int[]>> texts = new HashMap<>();

  private @Nullable PoolEngine home;
  private long salt;

  /**
   * A lane that was asked nothing.
   *
   * @param salts the last salt that was used with any of the engines
   */
  RequestLane(AtomicLong salts) {
    this.salts = salts;
  }

  /**
   * How many tokens {@code request} has in common with what was asked and answered here and showed
   * its pictures or the first of them.
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

  /** Asks {@code engine}, which then has in its cache what any engine of this lane would have. */
  synchronized CompletableFuture<List<Generation>> ask(
      PoolEngine engine, List<GenerationRequest> requests) {
    List<List<GenerationRequest>> calls = new ArrayList<>();
    if (engine != home) {
      home = engine;
      salt = salts.incrementAndGet();
      calls.addAll(answered);
    }
    calls.add(requests);
    CompletableFuture<List<Generation>> last = new CompletableFuture<>();
    ask(engine, calls.stream().map(call -> salted(call, salt)).toList(), 0, last);
    return last;
  }

  /** One call after the other; canceling {@code last} cancels the one that is under way. */
  private void ask(
      PoolEngine engine,
      List<List<GenerationRequest>> calls,
      int number,
      CompletableFuture<List<Generation>> last) {
    CompletableFuture<List<Generation>> call = engine.session().generate(calls.get(number));
    CompletableFuture<Boolean> next =
        Calls.then(
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

  /** Canceling {@code last} cancels {@code call}. */
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
    if (home == engine) {
      home = null;
    }
  }

  private static List<GenerationRequest> salted(List<GenerationRequest> requests, long salt) {
    return requests.stream().map(request -> request.withCacheSalt(salt)).toList();
  }

  /** Says what came of {@code requests}. */
  synchronized void heard(List<GenerationRequest> requests, List<Generation> generations) {
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
