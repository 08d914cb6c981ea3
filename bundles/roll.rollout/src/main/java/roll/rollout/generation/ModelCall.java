package roll.rollout.generation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import roll.api.scoring.SequenceScorer;
import roll.api.strategy.Calls;
import roll.api.strategy.Generator;
import roll.rollout.supervise.ModelFailure;

/**
 * One call of a model with what one or more episodes ask of it.
 *
 * @param result an answer for each of those who wait, in their order
 * @param waiting those who wait
 */
record ModelCall<A>(CompletableFuture<List<A>> result, List<CompletableFuture<A>> waiting) {
  /** Begins a call of each model that {@code pending} ask, each with its requests in order. */
  static List<ModelCall<?>> begin(Collection<PendingRequest> pending) {
    Map<Generator, List<PendingRequest.Response>> responses = new LinkedHashMap<>();
    Map<SequenceScorer, List<PendingRequest.Score>> scores = new LinkedHashMap<>();
    for (PendingRequest ask : pending) {
      switch (ask) {
        case PendingRequest.Response one ->
            responses.computeIfAbsent(one.by(), by -> new ArrayList<>()).add(one);
        case PendingRequest.Score one ->
            scores.computeIfAbsent(one.by(), by -> new ArrayList<>()).add(one);
      }
    }
    List<ModelCall<?>> calls = new ArrayList<>();
    responses.forEach(
        (by, some) ->
            calls.add(
                new ModelCall<>(
                    by.generate(some.stream().map(PendingRequest.Response::request).toList()),
                    some.stream().map(PendingRequest.Response::answer).toList())));
    scores.forEach(
        (by, some) ->
            calls.add(
                new ModelCall<>(
                    Calls.then(
                        by.score(some.stream().map(PendingRequest.Score::sequence).toList()),
                        values -> Arrays.stream(values).boxed().toList()),
                    some.stream().map(PendingRequest.Score::answer).toList())));
    return calls;
  }

  /** Waits for the answers and passes them on. */
  void await() throws InterruptedException, ExecutionException {
    answer(result.get());
  }

  /**
   * Passes on the answers, or why there are none.
   *
   * @param failure null where {@code answers} is not
   */
  private void tell(@Nullable List<A> answers, @Nullable Throwable failure) {
    if (failure != null) {
      fail(GenerationDispatcher.failure(failure));
      return;
    }
    try {
      answer(answers == null ? List.of() : answers);
    } catch (ModelFailure e) {
      fail(e);
    }
  }

  private void fail(RuntimeException failure) {
    waiting.forEach(one -> one.completeExceptionally(failure));
  }

  private void answer(List<A> answers) {
    if (answers.size() != waiting.size()) {
      throw new ModelFailure(
          waiting.size() + " requests were answered by " + answers.size() + " responses");
    }
    Iterator<A> next = answers.iterator();
    waiting.forEach(one -> one.complete(next.next()));
  }

  /**
   * Passes on the answers when they are there; the call is canceled once nobody waits any more.
   *
   * @param ended is told first that the call has ended
   */
  void forward(Runnable ended) {
    var _ =
        result.whenComplete(
            (answers, failure) -> {
              ended.run();
              tell(answers, failure);
            });
    waiting.forEach(
        one -> {
          var _ =
              one.whenComplete(
                  (answer, failure) -> {
                    if (waiting.stream().allMatch(CompletableFuture::isCancelled)) {
                      result.cancel(true);
                    }
                  });
        });
  }
}
