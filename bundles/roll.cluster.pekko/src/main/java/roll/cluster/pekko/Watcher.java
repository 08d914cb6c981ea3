package roll.cluster.pekko;

import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberDowned;
import org.apache.pekko.cluster.ClusterEvent.MemberRemoved;
import org.apache.pekko.cluster.ClusterEvent.MemberUp;
import org.apache.pekko.cluster.ClusterEvent.ReachableMember;
import org.apache.pekko.cluster.ClusterEvent.UnreachableMember;
import org.apache.pekko.remote.artery.ThisActorSystemQuarantinedEvent;

/** An actor that passes on what happens in the cluster, in order. */
final class Watcher extends AbstractActor {
  private final Consumer<Object> taker;

  private Watcher(Consumer<Object> taker) {
    this.taker = taker;
  }

  static Props of(Consumer<Object> taker) {
    return Props.create(Watcher.class, () -> new Watcher(taker));
  }

  @Override
  public void preStart() {
    getContext()
        .getSystem()
        .getEventStream()
        .subscribe(getSelf(), ThisActorSystemQuarantinedEvent.class);
    Cluster.get(getContext().getSystem())
        .subscribe(
            getSelf(),
            ClusterEvent.initialStateAsEvents(),
            MemberUp.class,
            MemberDowned.class,
            MemberRemoved.class,
            UnreachableMember.class,
            ReachableMember.class);
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder().matchAny(taker::accept).build();
  }
}
