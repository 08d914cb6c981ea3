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
import roll.api.strategy.AsyncCalls;
import roll.api.strategy.Generator;
import roll.rollout.supervise.ModelFailure;

/**
 * One call of a model with the requests of one or more episodes.
 *
 * @param result a response for each of {@code waiting}, in order
 * @param waiting futures of the episodes
 */
record ModelCall<A>(CompletableFuture<List<A>> result, List<PendingAnswer<A>> waiting) {
  /** Begins one call per model, each with the model's requests of {@code pending} in order. */
  static List<ModelCall<?>> begin(Collection<PendingRequest> pending) {
    Map<Generator, List<PendingRequest.Response>> responses = new LinkedHashMap<>();
    Map<SequenceScorer, List<PendingRequest.Score>> scores = new LinkedHashMap<>();
    for (PendingRequest ask : pending) {
      switch (ask) {
        case PendingRequest.Response one ->
            responses.computeIfAbsent(one.model(), _ -> new ArrayList<>()).add(one);
        case PendingRequest.Score one ->
            scores.computeIfAbsent(one.model(), _ -> new ArrayList<>()).add(one);
      }
    }
    pending.forEach(one -> one.answer().sent());
    List<ModelCall<?>> calls = new ArrayList<>();
    responses.forEach(
        (model, some) ->
            calls.add(
                new ModelCall<>(
                    model.generate(some.stream().map(PendingRequest.Response::request).toList()),
                    some.stream().map(PendingRequest.Response::answer).toList())));
    scores.forEach(
        (model, some) ->
            calls.add(
                new ModelCall<>(
                    AsyncCalls.then(
                        model.score(some.stream().map(PendingRequest.Score::sequence).toList()),
                        values -> Arrays.stream(values).boxed().toList()),
                    some.stream().map(PendingRequest.Score::answer).toList())));
    return calls;
  }

  /** Waits for the responses and completes the futures of the episodes. */
  void await() throws InterruptedException, ExecutionException {
    answer(result.get());
  }

  /**
   * Completes the futures of the episodes with the responses or the failure.
   *
   * @param failure null on success
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
   * Completes the futures of the episodes when the call ends; cancels the call once all of them are
   * canceled.
   *
   * @param ended runs before the futures are completed
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
