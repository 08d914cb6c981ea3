package roll.cluster.pekko;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.MessageHandler;
import roll.cluster.Registration;

/** Answers calls, each once, however often it comes. Can be used by all threads. */
final class CallServer {
  private static final Logger LOG = LoggerFactory.getLogger(CallServer.class);
  private static final int MOST_TOPIC = 256;

  /** How long a call waits for the news that its sender is a member. */
  private static final long NEWS = 5_000;

  private final Roster roster;
  private final long self;
  private final AtomicLong epoch;
  private final BiConsumer<Member, byte[]> wire;
  private final Map<String, MessageHandler> handlers = new ConcurrentHashMap<>();
  private final Map<Long, HeardCalls> heard = new ConcurrentHashMap<>();

  /**
   * That of one member.
   *
   * @param self its uid
   * @param epoch the present one, which is raised to any that is heard of
   * @param wire sends bytes to a member, and does not wait
   */
  CallServer(Roster roster, long self, AtomicLong epoch, BiConsumer<Member, byte[]> wire) {
    this.roster = roster;
    this.self = self;
    this.epoch = epoch;
    this.wire = wire;
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

  /** The answer to a call is needed no more. */
  void taken(Frame frame) {
    HeardCalls of = heard.get(frame.from());
    if (of != null) {
      of.taken(frame.call(), frame.least());
    }
  }

  /** Takes a call, or a question about one; may wait for news of its sender. */
  void take(Frame frame) {
    try {
      Member from = roster.await(frame.from(), NEWS);
      if (from == null) {
        return; // it was removed, or was never taken in
      }
      if (frame.to() == self) {
        called(from, frame);
      } else {
        say(from, frame, Frame.Kind.GONE, "");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A call, or a question about one. */
  private void called(Member from, Frame frame) {
    HeardCalls of = heard.computeIfAbsent(from.uid(), _ -> new HeardCalls());
    MessageHandler handler = handlers.get(frame.topic());
    of.raise(frame.least());
    if (of.heard(frame.call())) {
      byte[] answer = of.answer(frame.call());
      if (answer != null) {
        wire.accept(from, answer);
      }
    } else if (frame.kind() == Frame.Kind.ASKED) {
      say(from, frame, Frame.Kind.UNHEARD, "");
    } else if (frame.epoch() < epoch.accumulateAndGet(frame.epoch(), Math::max)) {
      say(from, frame, Frame.Kind.STALE, "");
    } else if (handler == null) {
      say(from, frame, Frame.Kind.UNANSWERED, frame.topic());
    } else if (of.begin(frame.call())) {
      handle(handler, from, frame, of);
    }
  }

  /** Lets go what was kept for a member that is one no longer. */
  void forget(Member member) {
    heard.remove(member.uid());
  }

  private void handle(MessageHandler handler, Member from, Frame frame, HeardCalls of) {
    CompletableFuture<byte[]> answer;
    try {
      answer = handler.take(from, frame.body());
    } catch (Throwable e) { // whoever asked would wait forever
      answer = CompletableFuture.failedFuture(e);
    }
    var unused =
        answer.whenComplete(
            (body, failure) -> {
              if (failure != null) {
                LOG.debug("{} of {} failed", frame.topic(), from, cause(failure));
              }
              reply(from, frame, of, failure == null ? body : null, failure);
            });
  }

  /** Keeps the answer, and sends it. */
  private void reply(
      Member from,
      Frame frame,
      HeardCalls of,
      byte @Nullable [] body,
      @Nullable Throwable failure) {
    Frame answer;
    if (body == null) {
      answer = text(frame, Frame.Kind.FAILURE, failure == null ? "" : text(cause(failure)));
    } else if (body.length > Membership.MOST_BYTES) {
      answer = text(frame, Frame.Kind.FAILURE, "the answer has " + body.length + " bytes");
    } else {
      answer = frame.answer(Frame.Kind.ANSWER, epoch.get(), body);
    }
    byte[] bytes = answer.encode();
    of.answered(frame.call(), bytes);
    wire.accept(from, bytes);
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private static String text(Throwable cause) {
    String message = Objects.requireNonNullElse(cause.getMessage(), cause.toString());
    return message.substring(0, Math.min(message.length(), 4096));
  }

  private Frame text(Frame frame, Frame.Kind kind, String text) {
    return frame.answer(kind, epoch.get(), text.getBytes(StandardCharsets.UTF_8));
  }

  /** Answers a call that does not begin. */
  private void say(Member from, Frame frame, Frame.Kind kind, String text) {
    wire.accept(from, text(frame, kind, text).encode());
  }
}
