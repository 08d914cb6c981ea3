package roll.cluster.training;

import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
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

  /** A value, as {@code how} writes it. */
  static byte[] done(Consumer<ByteWriter> how) {
    ByteWriter out = new ByteWriter().constant(Kind.DONE);
    how.accept(out);
    return out.toBytes();
  }

  /** Nothing but that it is done. */
  static byte[] done() {
    return done(_ -> {});
  }

  /**
   * An answer that can be sent.
   *
   * @throws UserException if it is too long
   */
  static byte[] fitting(byte[] answer) {
    if (answer.length > Membership.MOST_BYTES) {
      throw new UserException(
          "an answer of %d bytes is more than the %d that a message can have: smaller batches are needed where ranks are on several nodes"
              .formatted(answer.length, Membership.MOST_BYTES));
    }
    return answer;
  }

  /** That it failed of {@code failure}. */
  static byte[] failed(Throwable failure) {
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
    return new ByteWriter().constant(kind).text(why).toBytes();
  }

  /** Reads what a node answered; its value as {@code how} reads it. */
  static <T> RankAnswer<T> read(byte[] answer, Function<ByteReader, T> how) {
    return ByteReader.read(
        answer,
        in -> {
          Kind kind = in.constant(Kind.values());
          return kind == Kind.DONE
              ? new RankAnswer<T>(kind, "", how.apply(in))
              : new RankAnswer<T>(kind, in.text(), null);
        });
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
