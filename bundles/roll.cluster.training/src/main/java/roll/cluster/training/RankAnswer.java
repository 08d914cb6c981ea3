package roll.cluster.training;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.cluster.Member;
import roll.parallel.collective.RankFailure;

/**
 * Answer of a node: a value, or a failure, which distinguishes the failed rank from those that were
 * only released by it.
 *
 * @param kind kind of the result
 * @param why reason of a failure in one line; otherwise empty
 * @param value null for a failure
 */
record RankAnswer<T>(Kind kind, String why, @Nullable T value) {
  /** Kind of a result. */
  enum Kind {
    DONE,
    /** Another rank has failed, which reports its own failure. */
    RELEASED,
    /** The call is invalid on this node. */
    REFUSED,
    FAILED
  }

  /** Creates an answer with a value. */
  static <T> RankAnswer<T> done(T value) {
    return new RankAnswer<>(Kind.DONE, "", value);
  }

  /** Returns the result of {@code call}; a failure is an answer too. */
  static <T> CompletableFuture<RankAnswer<T>> of(Callable<CompletableFuture<T>> call) {
    CompletableFuture<T> result;
    try {
      result = call.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      result = CompletableFuture.failedFuture(e);
    } catch (Throwable e) { // without an answer the caller would wait forever
      result = CompletableFuture.failedFuture(e);
    }
    return result.thenApply(RankAnswer::done).exceptionally(RankAnswer::failed);
  }

  /** Creates an answer from a failure. */
  static <T> RankAnswer<T> failed(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    Kind kind =
        cause instanceof UserException
            ? Kind.REFUSED
            : cause instanceof RankFailure && cause.getCause() != null
                ? Kind.RELEASED
                : Kind.FAILED;
    boolean known = cause instanceof UserException || cause instanceof RankFailure;
    String why = known ? String.valueOf(cause.getMessage()) : cause.toString();
    return new RankAnswer<>(kind, why, null);
  }

  /**
   * Returns the value of the answer, or throws its failure.
   *
   * @throws UserException if {@code member} refused the call
   * @throws RankFailure if it failed; with a cause if it was only released
   */
  T value(Member member) {
    T known = value;
    if (known != null) {
      return known;
    }
    String line = "node " + member + ": " + why;
    throw switch (kind) {
      case REFUSED -> new UserException(line);
      case RELEASED -> new RankFailure(line, new IllegalStateException(why));
      case DONE, FAILED -> new RankFailure(line);
    };
  }
}
