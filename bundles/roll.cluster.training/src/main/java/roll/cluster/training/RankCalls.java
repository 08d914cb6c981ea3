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
import roll.cluster.services.codec.MessagePictures;
import roll.cluster.services.codec.RecordCodec;
import roll.parallel.collective.RankFailure;

/**
 * Calls to a node with ranks, or to the coordinator.
 *
 * @param member node to call
 */
record RankCalls(Membership membership, Member member) {
  /** Timeout of work of unknown duration. */
  static final Duration LONG = RemoteCalls.LONG;

  /** Nanoseconds after which a node without a handler is called again. */
  private static final long PAUSE = 100_000_000;

  /** Maximum number of bytes of a message beside its batch. */
  private static final int HEADER_BYTES = 96;

  /** Timeout of calls that take little time. */
  static final Duration SHORT = Duration.ofSeconds(60);

  /** Returns a proxy of the node as one with ranks. */
  RankHost host(Duration limit) {
    return RankHost.CONTRACT.of(membership, member, limit);
  }

  /** Returns a proxy of the node as the coordinator. */
  RankCoordinator coordinator(Duration limit) {
    return RankCoordinator.CONTRACT.of(membership, member, limit);
  }

  /**
   * Checks the size of a message.
   *
   * @param what description with a {@code %d} for {@code bytes}
   * @throws UserException if it is too long
   */
  static void checkSize(String what, int bytes) {
    if (bytes > Membership.MAX_MESSAGE_BYTES) {
      throw new UserException(
          "%s exceeds the maximum of %d: ranks on several nodes need smaller batches"
              .formatted(what.formatted(bytes), Membership.MAX_MESSAGE_BYTES));
    }
  }

  /**
   * Checks that {@code batch} and each of its pictures can be sent to this node.
   *
   * @throws UserException if one is too long
   */
  void checkSize(RecordCodec codec, Object batch) {
    MessagePictures pictures = new MessagePictures();
    int bytes = codec.write(pictures, new Object[] {batch}).length + HEADER_BYTES;
    checkSize("a batch of %d bytes for node " + member, bytes);
    pictures.requireSendable();
  }

  /**
   * Returns the value of an answer.
   *
   * @return fails with {@link RanksLostException} if the node is lost, otherwise like {@link
   *     RankAnswer#value}
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
   * Calls a node that may have joined a moment ago and have no handler yet; waits for the answer.
   *
   * @throws UserException if there is no handler within {@link #SHORT}; otherwise like {@link
   *     #value}
   */
  <T> T callWhenReady(Function<RankHost, CompletableFuture<RankAnswer<T>>> call) {
    long end = System.nanoTime() + SHORT.toNanos();
    while (true) {
      try {
        return call.apply(host(LONG)).join().value(member);
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof RemoteCallException)) {
          throw failed(e);
        }
        if (System.nanoTime() > end) {
          throw new UserException(
              e.getCause().getMessage() + ": the node needs the bundle roll.cluster.training");
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
