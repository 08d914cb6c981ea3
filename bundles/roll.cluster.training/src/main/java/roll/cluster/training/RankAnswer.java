package roll.cluster.training;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.cluster.Member;
import roll.parallel.collective.RankFailure;

/**
 * What a node answers: a value, or what it failed of, in which those who only were released by the
 * failure of others can be told.
 *
 * @param kind how it ended
 * @param why it failed, in one line; empty if it did not
 * @param value null if it failed
 */
record RankAnswer<T>(Kind kind, String why, @Nullable T value) {
  /** How something ended. */
  enum Kind {
    /** With a value. */
    DONE,
    /** Another rank has failed, whose own failure is known. */
    RELEASED,
    /** Something was asked for that this node cannot do. */
    REFUSED,
    /** It failed. */
    FAILED
  }

  /** A value. */
  static <T> RankAnswer<T> done(T value) {
    return new RankAnswer<>(Kind.DONE, "", value);
  }

  /** What comes of {@code call}, whose failures are answers too. */
  static <T> CompletableFuture<RankAnswer<T>> of(Callable<CompletableFuture<T>> call) {
    CompletableFuture<T> coming;
    try {
      coming = call.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      coming = CompletableFuture.failedFuture(e);
    } catch (Throwable e) { // whoever asked would wait forever
      coming = CompletableFuture.failedFuture(e);
    }
    return coming.thenApply(RankAnswer::done).exceptionally(RankAnswer::failed);
  }

  /** That it failed of {@code failure}. */
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
   * The value.
   *
   * @throws UserException if {@code member} refused
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
