package roll.cluster;

import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/** Handles the messages of a topic. */
@ConsumerType
@FunctionalInterface
public interface MessageHandler {
  /**
   * Handles one message of a member. Each call runs on a virtual thread of its own, concurrently
   * with others, and may block.
   *
   * @param from sender, which may have been lost meanwhile
   * @return the answer to a call, at most {@link Membership#MAX_MESSAGE_BYTES}; ignored for a
   *     message without an answer. If it fails, or this method throws, the call fails with the
   *     message of the exception
   */
  CompletableFuture<byte[]> handle(Member from, byte[] message);
}
