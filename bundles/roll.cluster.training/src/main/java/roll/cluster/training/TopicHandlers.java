package roll.cluster.training;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.services.codec.ByteReader;

/**
 * Takes the messages of some topics, until it is closed; what it answers is a {@link RankAnswer}.
 */
final class TopicHandlers implements AutoCloseable {
  private final Membership membership;
  private final List<Registration> registrations = new ArrayList<>();

  TopicHandlers(Membership membership) {
    this.membership = membership;
  }

  /** Reads a message; what it asks for is begun afterward, so that its failures are its own. */
  interface Request {
    Work read(Member from, ByteReader in);
  }

  /** What a message asks for. */
  interface Work {
    CompletableFuture<byte[]> begin() throws InterruptedException;
  }

  /** Takes the messages of {@code topic}. */
  void handle(String topic, Request request) {
    registrations.add(
        membership.handle(
            topic,
            (from, message) -> {
              CompletableFuture<byte[]> answer;
              try {
                answer = ByteReader.read(message, in -> request.read(from, in)).begin();
              } catch (RuntimeException e) {
                answer = CompletableFuture.failedFuture(e);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                answer = CompletableFuture.failedFuture(e);
              }
              return answer.thenApply(RankAnswer::fitting).exceptionally(RankAnswer::failed);
            }));
  }

  @Override
  public void close() {
    registrations.forEach(Registration::close);
  }
}
