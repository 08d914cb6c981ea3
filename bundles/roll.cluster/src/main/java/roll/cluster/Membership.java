package roll.cluster;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Membership of this process in a run. Thread-safe.
 *
 * <p>Messages are bytes under a topic. They may overtake each other. A message that is lost with a
 * broken connection is sent again while both nodes are members, and is handled at most once; {@link
 * #call} tells whether it was. Data larger than {@link #MAX_MESSAGE_BYTES} needs another channel.
 *
 * <p>Every message carries the epoch of its sender. A node adopts any higher epoch that it
 * receives, and rejects messages with a lower one: their senders did not know of a later decision.
 */
@ProviderType
public interface Membership extends AutoCloseable {
  /** Maximum number of bytes of a message or an answer. */
  int MAX_MESSAGE_BYTES = 8 << 20;

  /**
   * Configuration with which the membership was opened; its identity is for further connections
   * with the run's certificates. The address on which this node listens is in {@link #self}.
   */
  MembershipConfig config();

  /** This process as a member of the run. */
  Member self();

  /** All members in the order in which they joined; the first is the first node. */
  List<Member> members();

  /** Whether {@code member} is a member and answers. */
  boolean reachable(Member member);

  /** Current epoch of the membership. */
  long epoch();

  /**
   * Raises the epoch here and, with the next message to each node, everywhere; has no effect if it
   * is already as high. Only the first node should do so.
   */
  void advance(long epoch);

  /**
   * Reports changes of members, in order, beginning with a {@link MemberEvent.Joined} for each
   * present member including this one.
   *
   * @param listener called by one thread at a time; must not block. Its exceptions are logged
   */
  Registration listen(Consumer<MemberEvent> listener);

  /**
   * Registers the handler of a topic. A call to a topic without a handler fails with {@link
   * NoHandlerException}.
   *
   * @throws IllegalStateException if the topic has a handler
   */
  Registration handle(String topic, MessageHandler handler);

  /**
   * Sends a message without waiting. It is dropped if the topic has no handler, or the member is
   * lost.
   *
   * @throws IllegalArgumentException if the message is longer than {@link #MAX_MESSAGE_BYTES}
   */
  void send(Member to, String topic, byte[] message);

  /**
   * Calls a member, which may be this one. The calling thread never completes the future.
   *
   * @param timeout after which the future fails with {@link java.util.concurrent.TimeoutException}
   * @return the answer; fails with {@link NodeLostException} if {@code to} is not a member, is lost
   *     or leaves before it answers, or this node loses its membership; with {@link
   *     StaleEpochException} if this node had an old epoch; with {@link RemoteCallException} if the
   *     handler failed. Canceling it ends the waiting and does not reach the member
   * @throws IllegalArgumentException if the message is longer than {@link #MAX_MESSAGE_BYTES}
   */
  CompletableFuture<byte[]> call(Member to, String topic, byte[] message, Duration timeout);

  /** Completes when this membership ends, with the reason. */
  CompletableFuture<MembershipEnd> ended();

  /**
   * Leaves: the others see {@link MemberEvent.Removed} that is not lost. Open calls fail. Returns
   * after at most 10 s, when no thread and no socket is left.
   */
  @Override
  void close();
}
