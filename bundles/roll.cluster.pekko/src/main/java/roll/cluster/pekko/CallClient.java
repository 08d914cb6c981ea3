package roll.cluster.pekko;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.NoHandlerException;
import roll.cluster.NodeLostException;
import roll.cluster.RemoteCallException;
import roll.cluster.StaleEpochException;

/**
 * Client side of calls to other members. A broken connection loses the frames on their way, so the
 * receiver of an unanswered call is queried for it, and what was lost is sent again. Thread-safe.
 */
final class CallClient {
  /** Minimum and maximum time until an unanswered call is queried. */
  private static final long MIN_QUERY_NANOS = Duration.ofSeconds(2).toNanos();

  private static final long MAX_QUERY_NANOS = Duration.ofSeconds(30).toNanos();

  /** Time for which a message without an answer is sent again. */
  private static final Duration SEND_TIMEOUT = Duration.ofMinutes(10);

  /** An unanswered call of the call client. */
  private static final class Call {
    final Member to;
    final long number;
    final long epoch;
    final String topic;
    final byte[] message;
    final CompletableFuture<byte[]> answer = new CompletableFuture<>();
    final long start = System.nanoTime();
    long queryAfter = MIN_QUERY_NANOS;

    Call(Member to, long number, long epoch, String topic, byte[] message) {
      this.to = to;
      this.number = number;
      this.epoch = epoch;
      this.topic = topic;
      this.message = message;
    }
  }

  private final MemberTable members;
  private final Executor threads;
  private final long self;
  private final AtomicLong epoch;
  private final BiConsumer<Member, Frame> transport;

  /** Unanswered calls by number; guarded by this. */
  private final NavigableMap<Long, Call> calls = new TreeMap<>();

  private long last;
  private @Nullable String ended;

  /**
   * Creates the client for calls to one member.
   *
   * @param threads completes the answers
   * @param self uid of the member
   * @param epoch present epoch, raised to any higher one received
   * @param transport sends frames without waiting
   */
  CallClient(
      MemberTable members,
      Executor threads,
      long self,
      AtomicLong epoch,
      BiConsumer<Member, Frame> transport) {
    this.members = members;
    this.threads = threads;
    this.self = self;
    this.epoch = epoch;
    this.transport = transport;
  }

  /** Sends a message, which is a call whose answer is not used. */
  void send(Member to, String topic, byte[] message) {
    var unused = call(to, topic, message, SEND_TIMEOUT);
  }

  CompletableFuture<byte[]> call(Member to, String topic, byte[] message, Duration timeout) {
    if (message.length > Membership.MAX_MESSAGE_BYTES) {
      throw new IllegalArgumentException(
          "a message may have "
              + Membership.MAX_MESSAGE_BYTES
              + " bytes, but has "
              + message.length);
    }
    Call call;
    String end;
    synchronized (this) {
      call = new Call(to, ++last, epoch.get(), topic, message);
      calls.put(call.number, call);
      end = ended;
    }
    CompletableFuture<Void> timer = new CompletableFuture<>();
    var unused =
        timer
            .completeOnTimeout(null, timeout.toMillis(), TimeUnit.MILLISECONDS)
            .thenRun(() -> fail(call, late(to, timeout)));
    var unusedToo =
        call.answer.whenComplete(
            (_, _) -> {
              remove(call); // the caller may have canceled it
              timer.cancel(false);
              transmit(Frame.Kind.RELEASE, call);
            });
    if (end != null) {
      fail(call, new NodeLostException(to, end));
    } else if (members.contains(to)) {
      transmit(Frame.Kind.CALL, call);
    } else {
      fail(call, new NodeLostException(to, "is not a member"));
    }
    return call.answer;
  }

  private static TimeoutException late(Member to, Duration timeout) {
    return new TimeoutException(
        "node " + to + " did not answer within " + timeout.toMillis() + " ms");
  }

  private void transmit(Frame.Kind kind, Call call) {
    if (members.contains(call.to)) {
      boolean whole = kind == Frame.Kind.CALL;
      transport.accept(
          call.to,
          new Frame(
              kind,
              whole ? call.epoch : epoch.get(),
              self,
              call.to.uid(),
              call.number,
              floor(call.to),
              whole ? call.topic : "",
              whole ? call.message : new byte[0]));
    }
  }

  /** Returns the lowest number of an unanswered call to {@code to}. */
  private synchronized long floor(Member to) {
    return calls.values().stream()
        .filter(call -> call.to.uid() == to.uid())
        .mapToLong(call -> call.number)
        .findFirst()
        .orElse(last + 1);
  }

  /** Queries for calls that have long been unanswered; to be called every second or so. */
  void query() {
    long now = System.nanoTime();
    List<Call> due = new ArrayList<>();
    synchronized (this) {
      for (Call call : calls.values()) {
        if (now - call.start >= call.queryAfter) {
          call.queryAfter += Math.min(call.queryAfter, MAX_QUERY_NANOS);
          due.add(call);
        }
      }
    }
    due.forEach(call -> transmit(Frame.Kind.QUERY, call));
  }

  /** Processes an answer of the called member. */
  void receive(Frame frame) {
    long now = epoch.accumulateAndGet(frame.epoch(), Math::max);
    Call call;
    synchronized (this) {
      call = calls.get(frame.call());
    }
    if (call == null || call.to.uid() != frame.from()) {
      return;
    }
    switch (frame.kind()) {
      case NOT_RECEIVED -> transmit(Frame.Kind.CALL, call);
      case GONE -> fail(call, new NodeLostException(call.to, "is no longer a member"));
      case NO_HANDLER -> fail(call, new NoHandlerException(call.to, frame.text()));
      case FAILURE -> fail(call, new RemoteCallException(call.to, frame.text()));
      case STALE -> fail(call, new StaleEpochException(call.to, call.epoch, frame.epoch()));
      default -> {
        if (call.epoch < now) {
          fail(call, new StaleEpochException(call.to, call.epoch, now));
        } else if (remove(call)) {
          threads.execute(() -> call.answer.complete(frame.body()));
        }
      }
    }
  }

  private synchronized boolean remove(Call call) {
    return calls.remove(call.number) != null;
  }

  private void fail(Call call, Exception failure) {
    if (remove(call)) {
      threads.execute(() -> call.answer.completeExceptionally(failure));
    }
  }

  /** Fails all calls to a former member. */
  void lost(Member member, String why) {
    for (Call call : open()) {
      if (call.to.uid() == member.uid()) {
        fail(call, new NodeLostException(member, why));
      }
    }
  }

  private synchronized List<Call> open() {
    return List.copyOf(calls.values());
  }

  /** Fails all present and future calls. */
  void end(String why) {
    synchronized (this) {
      ended = why;
    }
    open().forEach(call -> fail(call, new NodeLostException(call.to, why)));
  }
}
