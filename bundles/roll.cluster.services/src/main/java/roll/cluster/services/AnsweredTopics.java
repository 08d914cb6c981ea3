package roll.cluster.services;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ConsumerType;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;

/** Topics whose messages are read and answered in the form of {@link ByteWriter}. */
public final class AnsweredTopics implements AutoCloseable {
  private final Membership membership;
  private final List<Registration> registrations = new ArrayList<>();

  /** None yet. */
  public AnsweredTopics(Membership membership) {
    this.membership = membership;
  }

  /** Reads a message, all of it, and answers it. */
  @ConsumerType
  @FunctionalInterface
  public interface Answer {
    /**
     * The answer to a message of {@code from}; may block, and may fail in any way.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    CompletableFuture<byte[]> to(Member from, ByteReader in) throws InterruptedException;
  }

  /** Answers {@code topic} from now on, until this is closed. */
  public void handle(String topic, Answer answer) {
    registrations.add(
        membership.handle(
            topic,
            (from, message) ->
                ByteReader.read(
                    message,
                    in -> {
                      try {
                        return guarded(answer, from, in);
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        throw new IllegalStateException(e);
                      }
                    })));
  }

  /** What an answer throws is no fault of the message. */
  private static CompletableFuture<byte[]> guarded(Answer answer, Member from, ByteReader in)
      throws InterruptedException {
    try {
      return answer.to(from, in);
    } catch (RuntimeException e) {
      in.skip();
      return CompletableFuture.failedFuture(e);
    }
  }

  /** An answer as bytes. */
  public static byte[] bytes(Consumer<ByteWriter> what) {
    ByteWriter out = new ByteWriter();
    what.accept(out);
    return out.toBytes();
  }

  /** The same, at once. */
  public static CompletableFuture<byte[]> done(Consumer<ByteWriter> what) {
    return CompletableFuture.completedFuture(bytes(what));
  }

  @Override
  public void close() {
    registrations.forEach(Registration::close);
  }
}
