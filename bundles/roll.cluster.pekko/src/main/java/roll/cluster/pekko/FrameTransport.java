package roll.cluster.pekko;

import java.util.function.Consumer;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import roll.cluster.Member;

/**
 * Sends and receives frames by two actors, so that large frames, which have connections of their
 * own (engine.conf), do not delay small ones.
 */
final class FrameTransport {
  private static final String MESSAGES = "messages";
  private static final String LARGE_MESSAGES = "large-messages";

  /** Maximum size of a small frame; Pekko's limit is 256 KiB including its header. */
  private static final int MAX_SMALL_BYTES = 192 << 10;

  private final ActorSystem system;

  FrameTransport(ActorSystem system) {
    this.system = system;
  }

  /** Passes the bytes of all received frames to {@code receiver}, which must not block. */
  void receive(Consumer<Object> receiver) {
    ActorRef unused = ForwardingActor.start(system, MESSAGES, receiver);
    unused = ForwardingActor.start(system, LARGE_MESSAGES, receiver);
  }

  /** Sends {@code frame} to the member {@code to}; the frame is lost if the connection is. */
  void send(Member to, Frame frame) {
    byte[] bytes = frame.encode();
    String actor = bytes.length > MAX_SMALL_BYTES ? LARGE_MESSAGES : MESSAGES;
    ((ExtendedActorSystem) system)
        .provider()
        .resolveActorRef("pekko://" + system.name() + "@" + to.address() + "/user/" + actor)
        .tell(bytes, ActorRef.noSender());
  }
}
