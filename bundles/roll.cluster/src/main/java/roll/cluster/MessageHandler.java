package roll.cluster;

import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/** Takes the messages of a topic. */
@ConsumerType
@FunctionalInterface
public interface MessageHandler {
  /**
   * Takes a message. Called by a virtual thread for each, several at once, and may block.
   *
   * @param from who sent it, as far as this node knows its members; it may be lost meanwhile
   * @return the answer, at most {@link Membership#MOST_BYTES}, for a call; ignored for a message
   *     that was only sent. If it fails, or this method throws, the call fails with the message of
   *     the exception
   */
  CompletableFuture<byte[]> take(Member from, byte[] message);
}
