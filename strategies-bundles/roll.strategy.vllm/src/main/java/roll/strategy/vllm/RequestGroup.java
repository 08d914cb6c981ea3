package roll.strategy.vllm;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.api.strategy.Generation;
import roll.sampling.ResponseState;

/** The generation requests of one call, which are answered together. */
final class RequestGroup {
  private final List<ResponseState> responses;
  private final CompletableFuture<List<Generation>> result;
  private final long begun;
  private int unfinished;

  /**
   * Creates the group of a call.
   *
   * @param responses empty responses
   * @param result completed with all responses
   * @param begun its start in {@link System#nanoTime}
   */
  RequestGroup(
      List<ResponseState> responses, CompletableFuture<List<Generation>> result, long begun) {
    this.responses = responses;
    this.result = result;
    this.begun = begun;
    this.unfinished = responses.size();
  }

  List<ResponseState> responses() {
    return responses;
  }

  /** Returns the seconds since the group's start. */
  double seconds() {
    return (System.nanoTime() - begun) * 1e-9;
  }

  /** Counts a finished response; answers when all are finished, and returns whether it did. */
  boolean finished() {
    if (--unfinished == 0) {
      answer();
    }
    return unfinished == 0;
  }

  /** Answers with the current responses. */
  void answer() {
    result.complete(responses.stream().map(ResponseState::generation).toList());
  }

  void fail(Throwable failure) {
    result.completeExceptionally(failure);
  }

  /** Returns whether the caller has canceled it. */
  boolean abandoned() {
    return result.isDone();
  }
}
