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
import roll.cluster.services.RemoteCalls;
import roll.cluster.services.codec.RecordCodec;
import roll.parallel.collective.RankFailure;

/**
 * Calls to a node that has ranks, or to the one that decides.
 *
 * @param membership that carries them
 * @param member who is asked
 */
record RankCalls(Membership membership, Member member) {
  /** Of work whose end nobody knows. */
  static final Duration LONG = RemoteCalls.LONG;

  /** Nanoseconds after which a node that does not answer yet is asked again. */
  private static final long PAUSE = 100_000_000;

  /** Bytes of a message beside its batch, at most. */
  private static final int HEAD = 64;

  /** Of what takes no time. */
  static final Duration SHORT = Duration.ofSeconds(60);

  /** The node as one with ranks. */
  RankHost host(Duration limit) {
    return RankHost.CONTRACT.of(membership, member, limit);
  }

  /** The node as the one that decides. */
  RankOwner owner(Duration limit) {
    return RankOwner.CONTRACT.of(membership, member, limit);
  }

  /**
   * Checks that a message of {@code bytes} can be sent.
   *
   * @param what it is
   * @throws UserException if it is too long
   */
  static void fits(String what, int bytes) {
    if (bytes > Membership.MAX_MESSAGE_BYTES) {
      throw new UserException(
          "%s is more than the %d that a message can have: smaller batches are needed where ranks are on several nodes"
              .formatted(what.formatted(bytes), Membership.MAX_MESSAGE_BYTES));
    }
  }

  /** The same of what goes to this node, beside which a message has little. */
  void fits(RecordCodec codec, Object batch) {
    fits("a batch of %d bytes for node " + member, codec.write(batch).length + HEAD);
  }

  /**
   * The value of an answer.
   *
   * @return fails with {@link RanksLostException} if the node is lost, else as {@link
   *     RankAnswer#value} says
   */
  <T> CompletableFuture<T> value(CompletableFuture<RankAnswer<T>> call) {
    return call.handle(
        (answer, failure) -> {
          if (failure != null) {
            throw failed(failure);
          }
          return answer.value(member);
        });
  }

  /**
   * Asks a node that may have joined just now, and does not answer yet; waits for the answer.
   *
   * @throws UserException if nobody answers within {@link #SHORT}; else as {@link #value} fails
   */
  <T> T first(Function<RankHost, CompletableFuture<RankAnswer<T>>> question) {
    long end = System.nanoTime() + SHORT.toNanos();
    while (true) {
      try {
        return question.apply(host(LONG)).join().value(member);
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
}
