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

/** Handles incoming calls, each at most once, however often it arrives. Thread-safe. */
final class CallServer {
  private static final Logger LOG = LoggerFactory.getLogger(CallServer.class);
  private static final int MAX_TOPIC_BYTES = 256;
  private static final int MAX_FAILURE_CHARS = 4096;

  /** Maximum wait for the event that the sender of a call is a member. */
  private static final long MEMBER_EVENT_MILLIS = 5_000;

  private final MemberTable members;
  private final long self;
  private final AtomicLong epoch;
  private final BiConsumer<Member, Frame> transport;
  private final Map<String, MessageHandler> handlers = new ConcurrentHashMap<>();
  private final Map<Long, ReceivedCalls> received = new ConcurrentHashMap<>();

  /**
   * Creates the server for calls of one member.
   *
   * @param self uid of the member
   * @param epoch present epoch, raised to any higher one received
   * @param transport sends frames without waiting
   */
  CallServer(
      MemberTable members, long self, AtomicLong epoch, BiConsumer<Member, Frame> transport) {
    this.members = members;
    this.self = self;
    this.epoch = epoch;
    this.transport = transport;
  }

  Registration handle(String topic, MessageHandler handler) {
    if (topic.isEmpty() || topic.getBytes(StandardCharsets.UTF_8).length > MAX_TOPIC_BYTES) {
      throw new IllegalArgumentException("topic '" + topic + "'");
    }
    if (handlers.putIfAbsent(topic, handler) != null) {
      throw new IllegalStateException("topic " + topic + " has a handler");
    }
    return () -> handlers.remove(topic, handler);
  }

  /** Drops the answer to a call. */
  void release(Frame frame) {
    ReceivedCalls calls = received.get(frame.from());
    if (calls != null) {
      calls.finish(frame.call(), frame.floor());
    }
  }

  /** Processes a call or a query; may wait for the event that its sender is a member. */
  void receive(Frame frame) {
    try {
      Member from = members.await(frame.from(), MEMBER_EVENT_MILLIS);
      if (from == null) {
        return; // removed, or never a member
      }
      if (frame.to() == self) {
        receive(from, frame);
      } else {
        transport.accept(from, frame.answer(Frame.Kind.GONE, epoch.get(), ""));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void receive(Member from, Frame frame) {
    ReceivedCalls calls = received.computeIfAbsent(from.uid(), _ -> new ReceivedCalls());
    MessageHandler handler = handlers.get(frame.topic());
    calls.finishBelow(frame.floor());
    if (calls.contains(frame.call())) {
      calls.answer(frame.call()).ifPresent(answer -> transport.accept(from, answer));
    } else if (frame.kind() == Frame.Kind.QUERY) {
      transport.accept(from, frame.answer(Frame.Kind.NOT_RECEIVED, epoch.get(), ""));
    } else if (frame.epoch() < epoch.accumulateAndGet(frame.epoch(), Math::max)) {
      transport.accept(from, frame.answer(Frame.Kind.STALE, epoch.get(), ""));
    } else if (handler == null) {
      transport.accept(from, frame.answer(Frame.Kind.NO_HANDLER, epoch.get(), frame.topic()));
    } else if (calls.begin(frame.call())) {
      handle(handler, from, frame, calls);
    }
  }

  /** Drops all state of a former member. */
  void forget(Member member) {
    received.remove(member.uid());
  }

  private void handle(MessageHandler handler, Member from, Frame frame, ReceivedCalls calls) {
    CompletableFuture<byte[]> body;
    try {
      body = handler.handle(from, frame.body());
    } catch (Throwable e) { // without an answer the caller would wait forever
      body = CompletableFuture.failedFuture(e);
    }
    var unused =
        body.whenComplete(
            (bytes, failure) -> {
              Frame answer = failure == null ? answer(frame, bytes) : failure(from, frame, failure);
              calls.answered(frame.call(), answer);
              transport.accept(from, answer);
            });
  }

  private Frame answer(Frame frame, byte @Nullable [] body) {
    if (body == null || body.length > Membership.MAX_MESSAGE_BYTES) {
      String text = body == null ? "" : "the answer has " + body.length + " bytes";
      return frame.answer(Frame.Kind.FAILURE, epoch.get(), text);
    }
    return frame.answer(Frame.Kind.ANSWER, epoch.get(), body);
  }

  private Frame failure(Member from, Frame frame, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    LOG.debug("{} of {} failed", frame.topic(), from, cause);
    String text = Objects.requireNonNullElse(cause.getMessage(), cause.toString());
    return frame.answer(
        Frame.Kind.FAILURE,
        epoch.get(),
        text.substring(0, Math.min(text.length(), MAX_FAILURE_CHARS)));
  }
}
