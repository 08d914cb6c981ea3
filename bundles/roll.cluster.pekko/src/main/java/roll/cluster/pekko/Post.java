package roll.cluster.pekko;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
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

  /** For how long a message is sent again that does not seem to come. */
  private static final Duration NEEDED = Duration.ofMinutes(10);

  private final Roster roster;
  private final OpenCalls calls;
  private final Executor threads;
  private final long self;
  private final BiConsumer<Member, byte[]> wire;
  private final AtomicLong epoch;
  private final CallServer server;

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
    this.server = new CallServer(roster, self, this.epoch, wire);
  }

  /** Lets go what was kept for a member that is one no longer. */
  void forget(Member member) {
    server.forget(member);
  }

  long epoch() {
    return epoch.get();
  }

  /** Raises the epoch to at least {@code heard}; the result is the present one. */
  long advance(long heard) {
    return epoch.accumulateAndGet(heard, Math::max);
  }

  Registration handle(String topic, MessageHandler handler) {
    return server.handle(topic, handler);
  }

  /** A call whose answer nobody waits for. */
  void send(Member to, String topic, byte[] message) {
    var unused = call(to, topic, message, NEEDED);
  }

  CompletableFuture<byte[]> call(Member to, String topic, byte[] message, Duration limit) {
    check(message);
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    OpenCalls.Open call =
        calls.open(to, epoch(), topic, message, limit, answer, over -> say(Frame.Kind.TAKEN, over));
    if (roster.contains(to)) {
      send(call);
    } else {
      calls.fail(call, new NodeLostException(to, "is no member"));
    }
    return answer;
  }

  private void send(OpenCalls.Open call) {
    long to = call.to.uid();
    wire.accept(
        call.to,
        new Frame(
                Frame.Kind.CALL,
                call.epoch,
                self,
                to,
                call.number,
                calls.floor(to),
                call.topic,
                call.message)
            .encode());
  }

  /** Says something about a call to whom it was sent. */
  private void say(Frame.Kind kind, OpenCalls.Open call) {
    if (roster.contains(call.to)) {
      long to = call.to.uid();
      wire.accept(
          call.to,
          new Frame(kind, epoch(), self, to, call.number, calls.floor(to), "", new byte[0])
              .encode());
    }
  }

  /**
   * Asks about calls that have not been answered for long: with a connection that breaks, calls and
   * answers are lost that were on their way. To be called now and then.
   */
  void remind() {
    calls.due().forEach(call -> say(Frame.Kind.ASKED, call));
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
      case CALL, ASKED -> threads.execute(() -> server.take(frame));
      case TAKEN -> server.taken(frame);
      default -> answered(frame);
    }
  }

  private void answered(Frame frame) {
    long now = advance(frame.epoch());
    OpenCalls.Open call = calls.get(frame.from(), frame.call());
    if (call == null) {
      return;
    }
    Member by = call.to;
    String text = new String(frame.body(), StandardCharsets.UTF_8);
    switch (frame.kind()) {
      case UNHEARD -> send(call);
      case GONE -> calls.fail(call, new NodeLostException(by, "is no member any more"));
      case UNANSWERED -> calls.fail(call, new UnansweredException(by, text));
      case FAILURE -> calls.fail(call, new RemoteCallException(by, text));
      case STALE -> calls.fail(call, new StaleEpochException(by, call.epoch, frame.epoch()));
      default -> {
        if (call.epoch < now) {
          calls.fail(call, new StaleEpochException(by, call.epoch, now));
        } else {
          calls.answer(call, frame.body());
        }
      }
    }
  }
}
