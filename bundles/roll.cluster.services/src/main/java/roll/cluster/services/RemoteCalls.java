package roll.cluster.services;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;

/**
 * Calls to one member.
 *
 * @param membership that carries them
 * @param member who is asked
 */
public record RemoteCalls(Membership membership, Member member) {
  /**
   * Of work whose end nobody knows. What is lost on its way is sent again, and whether the member
   * lives is the membership's to find out.
   */
  public static final Duration LONG = Duration.ofDays(7);

  /** Of what takes no time. */
  public static final Duration SHORT = Duration.ofSeconds(30);

  /**
   * Asks, and makes something of the answer. A message that is too long fails the future.
   *
   * @param limit as {@link Membership#call} takes it
   */
  public <T> CompletableFuture<T> ask(
      String topic, ByteWriter message, Duration limit, Function<ByteReader, T> how) {
    try {
      return membership
          .call(member, topic, message.toBytes(), limit)
          .thenApply(answer -> ByteReader.read(answer, how));
    } catch (IllegalArgumentException e) {
      return CompletableFuture.failedFuture(
          new IllegalArgumentException("node " + member + ": " + e.getMessage(), e));
    }
  }

  /** The answer, waited for; a failure is thrown as it was. */
  public static <T> T await(CompletableFuture<T> call) {
    try {
      return call.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }
}
