package roll.cluster;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/**
 * This process as a member of a run. Can be used by all threads.
 *
 * <p>Messages are bytes under a topic. They may overtake each other. What is lost with a connection
 * that breaks is sent again while both nodes are members, and is taken once at most; whoever needs
 * to know uses {@link #call}. What is larger than {@link #MOST_BYTES} goes another way.
 *
 * <p>Every message carries the epoch of its sender. A node that hears of a higher one takes it
 * over; a message with a lower one is refused: it was sent before something was decided that its
 * sender did not know.
 */
@ProviderType
public interface Membership extends AutoCloseable {
  /** The most bytes of one message or answer. */
  int MOST_BYTES = 8 << 20;

  /**
   * As what it was opened: the name of the run, and the identity for connections of one's own with
   * the certificates of the run. Where it listens is said by {@link #self}.
   */
  ClusterPlace place();

  /** This process. */
  Member self();

  /** All members, in the order in which they were taken in; the first is the first node. */
  List<Member> members();

  /** Whether {@code member} is one and answers. */
  boolean reachable(Member member);

  /** The present epoch. */
  long epoch();

  /**
   * Raises the epoch here and, with the next message to each, everywhere; does nothing if it is as
   * high. Only the first node should do so.
   */
  void advance(long epoch);

  /**
   * Tells what happens to members, in order, beginning with a {@link MemberEvent.Joined} for each
   * that is there, this one among them.
   *
   * @param listener called by one thread at a time; it must not block. What it throws is logged
   * @return to be closed when nothing more is to be told
   */
  Registration listen(Consumer<MemberEvent> listener);

  /**
   * Answers calls and takes messages of a topic, until the result is closed. A call that nobody
   * answers fails with {@link UnansweredException}.
   *
   * @throws IllegalStateException if somebody does so already
   */
  Registration handle(String topic, MessageHandler handler);

  /**
   * Sends a message and does not wait. It is lost if nobody handles the topic, or the member is
   * lost.
   *
   * @throws IllegalArgumentException if the message is longer than {@link #MOST_BYTES}
   */
  void send(Member to, String topic, byte[] message);

  /**
   * Asks a member, which may be this one. The future is never completed by the thread that calls.
   *
   * @param limit after which the future fails with {@link java.util.concurrent.TimeoutException}
   * @return the answer; fails with {@link NodeLostException} if the member is none, is lost or
   *     leaves before it answers, or this node is cut off; with {@link StaleEpochException} if this
   *     node had not heard of a higher epoch; with {@link RemoteCallException} if the other side
   *     failed. Cancelling it gives up waiting and does not reach the member
   * @throws IllegalArgumentException if the message is longer than {@link #MOST_BYTES}
   */
  CompletableFuture<byte[]> call(Member to, String topic, byte[] message, Duration limit);

  /** Completes when this membership is over, and says how. */
  CompletableFuture<MembershipEnd> ended();

  /**
   * Leaves: the others see {@link MemberEvent.Removed} that is not lost. Open calls fail. Returns
   * when no thread and no socket is left, after 10 s at most; does nothing the second time.
   */
  @Override
  void close();
}
