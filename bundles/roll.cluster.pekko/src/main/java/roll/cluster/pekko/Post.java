package roll.cluster.pekko;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.MessageHandler;
import roll.cluster.NodeLostException;
import roll.cluster.Registration;
import roll.cluster.RemoteCallException;
import roll.cluster.StaleEpochException;
import roll.cluster.UnansweredException;

/** Sends frames and takes what comes. Can be used by all threads. */
final class Post {
  private static final Logger LOG = LoggerFactory.getLogger(Post.class);
  private static final int MOST_TOPIC = 256;

  /** How long a message waits for the news that its sender is a member. */
  private static final long NEWS = 5_000;

  private final Roster roster;
  private final OpenCalls calls;
  private final Executor threads;
  private final long self;
  private final BiConsumer<Member, byte[]> wire;
  private final Map<String, MessageHandler> handlers = new ConcurrentHashMap<>();
  private final AtomicLong epoch;

  /**
   * The post of one member.
   *
   * @param self its uid
   * @param wire sends bytes to a member, and does not wait
   */
  Post(
      Roster roster,
      OpenCalls calls,
      Executor threads,
      long self,
      long epoch,
      BiConsumer<Member, byte[]> wire) {
    this.roster = roster;
    this.calls = calls;
    this.threads = threads;
    this.self = self;
    this.epoch = new AtomicLong(epoch);
    this.wire = wire;
  }

  long epoch() {
    return epoch.get();
  }

  /** Raises the epoch to at least {@code heard}; the result is the present one. */
  long advance(long heard) {
    return epoch.accumulateAndGet(heard, Math::max);
  }

  Registration handle(String topic, MessageHandler handler) {
    if (topic.isEmpty() || topic.getBytes(StandardCharsets.UTF_8).length > MOST_TOPIC) {
      throw new IllegalArgumentException("topic '" + topic + "'");
    }
    if (handlers.putIfAbsent(topic, handler) != null) {
      throw new IllegalStateException("somebody handles " + topic + " already");
    }
    return () -> handlers.remove(topic, handler);
  }

  void send(Member to, String topic, byte[] message) {
    check(message);
    wire.accept(
        to, new Frame(Frame.Kind.MESSAGE, epoch(), self, to.uid(), 0, topic, message).encode());
  }

  CompletableFuture<byte[]> call(Member to, String topic, byte[] message, Duration limit) {
    check(message);
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    long now = epoch();
    long number = calls.open(to, now, limit, answer);
    if (roster.contains(to)) {
      wire.accept(
          to, new Frame(Frame.Kind.CALL, now, self, to.uid(), number, topic, message).encode());
    } else {
      calls.fail(number, new NodeLostException(to, "is no member"));
    }
    return answer;
  }

  private static void check(byte[] message) {
    if (message.length > Membership.MOST_BYTES) {
      throw new IllegalArgumentException(
          "a message may have " + Membership.MOST_BYTES + " bytes, but has " + message.length);
    }
  }

  /** Takes what another member, or this one, sent. Does not block. */
  void take(byte[] bytes) {
    Frame frame;
    try {
      frame = Frame.decode(bytes);
    } catch (RuntimeException e) {
      LOG.warn("{} bytes came that are no message", bytes.length);
      return;
    }
    switch (frame.kind()) {
      case MESSAGE, CALL -> threads.execute(() -> asked(frame));
      default -> answered(frame);
    }
  }

  private void answered(Frame frame) {
    long now = advance(frame.epoch());
    OpenCalls.Open call = calls.get(frame.call());
    if (call == null || call.to().uid() != frame.from()) {
      return;
    }
    Member by = call.to();
    String text = new String(frame.body(), StandardCharsets.UTF_8);
    switch (frame.kind()) {
      case GONE -> calls.fail(frame.call(), new NodeLostException(by, "is no member any more"));
      case UNANSWERED -> calls.fail(frame.call(), new UnansweredException(by, text));
      case FAILURE -> calls.fail(frame.call(), new RemoteCallException(by, text));
      case STALE ->
          calls.fail(frame.call(), new StaleEpochException(by, call.epoch(), frame.epoch()));
      default -> {
        if (call.epoch() < now) {
          calls.fail(frame.call(), new StaleEpochException(by, call.epoch(), now));
        } else {
          calls.answer(frame.call(), frame.body());
        }
      }
    }
  }

  private void asked(Frame frame) {
    try {
      Member from = roster.await(frame.from(), NEWS);
      if (from == null) {
        return; // it was removed, or was never taken in
      }
      if (frame.to() != self) {
        reply(from, frame, Frame.Kind.GONE, "");
      } else if (frame.epoch() < advance(frame.epoch())) {
        reply(from, frame, Frame.Kind.STALE, "");
      } else {
        handle(from, frame);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void handle(Member from, Frame frame) {
    MessageHandler handler = handlers.get(frame.topic());
    if (handler == null) {
      reply(from, frame, Frame.Kind.UNANSWERED, frame.topic());
      return;
    }
    CompletableFuture<byte[]> answer;
    try {
      answer = handler.take(from, frame.body());
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    var unused =
        answer.whenComplete(
            (body, failure) -> {
              if (failure != null) {
                fail(from, frame, failure);
              } else if (frame.kind() == Frame.Kind.CALL) {
                reply(from, frame, body);
              }
            });
  }

  private void reply(Member from, Frame frame, byte[] body) {
    if (body.length > Membership.MOST_BYTES) {
      reply(from, frame, Frame.Kind.FAILURE, "the answer has " + body.length + " bytes");
    } else {
      wire.accept(from, frame.answer(Frame.Kind.ANSWER, epoch(), body).encode());
    }
  }

  private void fail(Member from, Frame frame, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    LOG.debug("{} of {} failed", frame.topic(), from, cause);
    reply(from, frame, Frame.Kind.FAILURE, text(cause));
  }

  private static String text(Throwable cause) {
    String message = Objects.requireNonNullElse(cause.getMessage(), cause.toString());
    return message.substring(0, Math.min(message.length(), 4096));
  }

  private void reply(Member from, Frame frame, Frame.Kind kind, @Nullable String text) {
    if (frame.kind() == Frame.Kind.CALL) {
      byte[] body = String.valueOf(text).getBytes(StandardCharsets.UTF_8);
      wire.accept(from, frame.answer(kind, epoch(), body).encode());
    }
  }
}
