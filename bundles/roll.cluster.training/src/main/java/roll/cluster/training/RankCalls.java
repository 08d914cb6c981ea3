package roll.cluster.training;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import roll.api.option.UserException;
import roll.api.rank.RanksLostException;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.NodeLostException;
import roll.cluster.RemoteCallException;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.parallel.collective.RankFailure;

/**
 * Calls to a node that has ranks, or to the one that decides.
 *
 * @param membership that carries them
 * @param member who is asked
 */
record RankCalls(Membership membership, Member member) {
  /**
   * Of work whose end nobody knows. What is lost on its way is sent again, and whether the member
   * lives is the membership's to find out.
   */
  static final Duration LONG = Duration.ofDays(7);

  /** Nanoseconds after which a node that does not answer yet is asked again. */
  private static final long PAUSE = 100_000_000;

  /** Of what takes no time. */
  static final Duration SHORT = Duration.ofSeconds(60);

  /**
   * The message, if it can be sent.
   *
   * @throws UserException if it is too long
   */
  byte[] bytes(ByteWriter message) {
    byte[] bytes = message.toBytes();
    if (bytes.length > Membership.MOST_BYTES) {
      throw new UserException(
          "a batch of %d bytes for node %s is more than the %d that a message can have: smaller batches are needed where ranks are on several nodes"
              .formatted(bytes.length, member, Membership.MOST_BYTES));
    }
    return bytes;
  }

  /**
   * Asks, and makes something of the answer.
   *
   * @return fails with {@link RanksLostException} if the node is lost, else as {@link
   *     RankAnswer#value} says
   */
  <T> CompletableFuture<T> ask(
      String topic, byte[] message, Duration limit, Function<ByteReader, T> how) {
    return membership
        .call(member, topic, message, limit)
        .handle(
            (answer, failure) -> {
              if (failure != null) {
                throw failed(failure);
              }
              return RankAnswer.read(answer, how).value(member);
            });
  }

  /**
   * Asks a node that may have joined just now, and does not answer yet; waits for the answer.
   *
   * @throws UserException if nobody answers within {@link #SHORT}; else as {@link #ask} fails
   */
  <T> T first(String topic, byte[] message, Function<ByteReader, T> how) {
    long end = System.nanoTime() + SHORT.toNanos();
    while (true) {
      try {
        return RankAnswer.read(membership.call(member, topic, message, LONG).join(), how)
            .value(member);
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof RemoteCallException)) {
          throw failed(e);
        }
        if (System.nanoTime() > end) {
          throw new UserException(
              e.getCause().getMessage() + ": it takes the bundle roll.cluster.training");
        }
        LockSupport.parkNanos(PAUSE);
      }
    }
  }

  private RuntimeException failed(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return switch (cause) {
      case NodeLostException lost ->
          new RanksLostException(String.valueOf(lost.getMessage()), lost);
      case RemoteCallException refused -> new RankFailure(String.valueOf(refused.getMessage()));
      case null, default -> new RankFailure("node " + member + ": " + cause);
    };
  }

  /** The answer, waited for; a failure is thrown as it was. */
  static <T> T await(CompletableFuture<T> call) {
    try {
      return call.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }
}
