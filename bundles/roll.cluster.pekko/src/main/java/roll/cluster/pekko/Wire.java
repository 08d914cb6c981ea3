package roll.cluster.pekko;

import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import roll.cluster.Member;

/** Sends bytes to the actors of members: what is large to one that has connections of its own. */
final class Wire {
  static final String POST = "post";
  static final String PARCELS = "parcels";

  /** The most bytes that go the short way; Pekko's frame is 256 KiB with its own head. */
  private static final int SMALL = 192 << 10;

  private final ExtendedActorSystem system;

  Wire(ActorSystem system) {
    this.system = (ExtendedActorSystem) system;
  }

  void send(Member to, byte[] bytes) {
    String actor = bytes.length > SMALL ? PARCELS : POST;
    String host = to.host().contains(":") ? "[" + to.host() + "]" : to.host();
    system
        .provider()
        .resolveActorRef(
            "pekko://" + system.name() + "@" + host + ":" + to.port() + "/user/" + actor)
        .tell(bytes, ActorRef.noSender());
  }
}
