package roll.strategy.vllm;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.api.strategy.Generation;
import roll.sampling.Response;

/** Requests that were made together and are answered together. */
final class RequestGroup {
  private final List<Response> responses;
  private final CompletableFuture<List<Generation>> result;
  private final long begun;
  private int unfinished;

  /**
   * A call.
   *
   * @param responses empty ones
   * @param result to be completed with all of them
   * @param begun when it was made, as {@link System#nanoTime} counts
   */
  RequestGroup(List<Response> responses, CompletableFuture<List<Generation>> result, long begun) {
    this.responses = responses;
    this.result = result;
    this.begun = begun;
    this.unfinished = responses.size();
  }

  List<Response> responses() {
    return responses;
  }

  /** Seconds since it was made. */
  double seconds() {
    return (System.nanoTime() - begun) * 1e-9;
  }

  /** Says that one more response is written; answers when all are, which is what it tells. */
  boolean finished() {
    if (--unfinished == 0) {
      answer();
    }
    return unfinished == 0;
  }

  /** Answers with the responses as they are. */
  void answer() {
    result.complete(responses.stream().map(Response::generation).toList());
  }

  void fail(Throwable failure) {
    result.completeExceptionally(failure);
  }

  /** Whether nobody waits for the answer any more. */
  boolean abandoned() {
    return result.isDone();
  }
}
