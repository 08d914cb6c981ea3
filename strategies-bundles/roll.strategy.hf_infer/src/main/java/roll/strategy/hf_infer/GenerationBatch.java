package roll.strategy.hf_infer;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.sampling.ResponseState;

/**
 * Sequences that are generated together: prefill in one native call, then several tokens in each
 * call. Finished rows are removed when they are half of all, so that all copies together are
 * smaller than the first cache. Used only on the compute thread.
 */
final class GenerationBatch {
  private final GenerationKernels kernels;
  private final PrefixCache.Builder caches;
  private final List<ResponseState> responses;

  /**
   * Creates a batch.
   *
   * @param caches owns the caches of the batch, and keeps them when rows are finished
   * @param responses empty responses, at least one
   */
  GenerationBatch(
      GenerationKernels kernels, PrefixCache.Builder caches, List<ResponseState> responses) {
    this.kernels = kernels;
    this.caches = caches;
    this.responses = responses;
  }

  /** A cache and the responses of its rows, some of them finished. */
  private record State(KvCache cache, List<ResponseState> rows) {
    int unfinished() {
      return (int) rows.stream().filter(response -> !response.finished()).count();
    }
  }

  /**
   * Generates the responses of the batch.
   *
   * @param older caches with reusable prefixes
   * @param block maximum prompt tokens of a block
   * @param canceled whether the call was canceled; checked between native calls
   * @throws CancellationException if it was canceled
   */
  void run(PrefixCache older, int block, BooleanSupplier canceled) {
    State state = begin(older, block);
    while (state.unfinished() > 0) {
      if (canceled.getAsBoolean()) {
        throw new CancellationException("generation was canceled");
      }
      if (2 * state.unfinished() <= state.rows().size()) {
        state = withoutFinished(state);
      }
      decode(state);
    }
    release(state);
  }

  /** Runs the prompts and samples the first tokens. */
  private State begin(PrefixCache older, int block) {
    List<int[]> prompts = responses.stream().map(ResponseState::keys).toList();
    PrefillPlan plan = PrefillPlan.of(prompts, older, block);
    PrefillPictures pictures = PrefillPictures.of(plan, responses);
    int capacity = responses.stream().mapToInt(ResponseState::capacity).max().orElseThrow();
    KvCache cache = caches.own(kernels.open(plan, capacity));
    int[] order =
        IntStream.range(0, prompts.size())
            .boxed()
            .sorted(Comparator.comparing(plan::rowOf))
            .mapToInt(i -> i)
            .toArray();
    List<ResponseState> rows = IntStream.of(order).mapToObj(responses::get).toList();
    int[] prefilled = IntStream.of(order).map(plan::rowOf).toArray();
    try (NDManager small = kernels.newManager()) {
      NDArray logits = kernels.prefill(small, cache, plan, pictures);
      append(rows, kernels.first(small, logits, prefilled, rows));
    }
    if (plan.rows().size() == rows.size()) {
      return new State(cache, rows);
    }
    int used = prompts.stream().mapToInt(prompt -> prompt.length).max().orElseThrow();
    KvCache spread = caches.own(kernels.select(cache, prefilled, used));
    caches.release(cache, List.of());
    return new State(spread, rows);
  }

  private State withoutFinished(State state) {
    int[] alive =
        IntStream.range(0, state.rows().size())
            .filter(row -> !state.rows().get(row).finished())
            .toArray();
    List<ResponseState> rows = IntStream.of(alive).mapToObj(state.rows()::get).toList();
    int used = rows.stream().mapToInt(ResponseState::lastPosition).max().orElseThrow();
    KvCache cache = caches.own(kernels.select(state.cache(), alive, used));
    release(state);
    return new State(cache, rows);
  }

  private void decode(State state) {
    List<ResponseState> rows = state.rows();
    int most = rows.stream().mapToInt(ResponseState::remaining).max().orElseThrow();
    int slice =
        rows.stream()
            .filter(row -> !row.finished())
            .mapToInt(ResponseState::slice)
            .min()
            .orElseThrow();
    try (NDManager small = kernels.newManager()) {
      append(rows, kernels.decode(small, state.cache(), rows, Math.min(slice, most)));
    }
  }

  private void append(List<ResponseState> rows, GenerationKernels.Drawn drawn) {
    long version = kernels.version();
    for (int i = 0; i < drawn.tokens().length; i++) {
      rows.get(i % rows.size())
          .add((int) drawn.tokens()[i], drawn.logProbs()[i], drawn.samplingLogProbs()[i], version);
    }
  }

  /** Releases the cache, with the tokens of its finished rows, all but the last. */
  private void release(State state) {
    List<int @Nullable []> held = new ArrayList<>();
    for (ResponseState response : state.rows()) {
      held.add(response.finished() ? response.allKeys(response.size() - 1) : null);
    }
    caches.release(state.cache(), held);
  }
}
