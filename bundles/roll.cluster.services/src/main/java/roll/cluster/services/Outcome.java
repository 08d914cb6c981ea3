package roll.cluster.services;

import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.cluster.Membership;
import roll.cluster.services.RemoteContract.Target;
import roll.cluster.services.codec.RecordCodec;
import roll.text.OneLine;

/**
 * Result of a call into an implementation on another node. That the implementation failed is a
 * result like any other: it would fail on every node, unlike a call that does not reach it.
 *
 * @param why one line on the failure; empty for a value
 * @param value null for a failure
 */
public record Outcome<T>(Kind kind, String why, @Nullable T value) {
  /** Kinds of outcomes of a remote call. */
  public enum Kind {
    /** Outcome kind: the implementation returned a value. */
    VALUE,
    /** Outcome kind: the implementation threw a {@link UserException}. */
    MISTAKE,
    /** Outcome kind: the implementation threw something else, or its value cannot be sent. */
    FAILURE
  }

  /** Calls {@code call} and returns its value or failure. */
  public static <T> Outcome<T> of(Supplier<? extends T> call) {
    try {
      return new Outcome<>(Kind.VALUE, "", call.get());
    } catch (CompletionException e) {
      return failure(e.getCause() == null ? e : e.getCause());
    } catch (Throwable e) { // an implementation may throw anything
      return failure(e);
    }
  }

  private static <T> Outcome<T> failure(Throwable thrown) {
    return thrown instanceof UserException e
        ? new Outcome<>(Kind.MISTAKE, String.valueOf(e.getMessage()), null)
        : new Outcome<>(Kind.FAILURE, OneLine.of(thrown), null);
  }

  /** Encodes the outcome of {@code call}; a value that no message can hold is a failure. */
  static <S> byte[] encoded(RecordCodec codec, Target<S> target, Function<S, Object> call) {
    Outcome<?> outcome = target.apply(object -> of(() -> call.apply(object)));
    try {
      byte[] bytes = codec.write(outcome);
      if (bytes.length <= Membership.MAX_MESSAGE_BYTES) {
        return bytes;
      }
      throw new IllegalStateException(
          "an answer has %d bytes, more than %d"
              .formatted(bytes.length, Membership.MAX_MESSAGE_BYTES));
    } catch (RuntimeException e) {
      return codec.write(failure(e));
    }
  }

  /**
   * Returns the value of the remote call, or throws its failure.
   *
   * @throws UserException if the implementation threw one
   * @throws RemoteFailureException if it threw something else, or its value cannot be sent
   */
  public T get() {
    if (value != null) {
      return value;
    }
    throw kind == Kind.MISTAKE ? new UserException(why) : new RemoteFailureException(why);
  }
}
