package roll.cluster.pekko;

import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/** Passes messages to a consumer, in order. */
final class ForwardingActor extends AbstractActor {
  private final Consumer<Object> consumer;

  private ForwardingActor(Consumer<Object> consumer) {
    this.consumer = consumer;
  }

  /** Starts an actor {@code name} at the top of {@code system}. */
  static ActorRef start(ActorSystem system, String name, Consumer<Object> consumer) {
    return system.actorOf(
        Props.create(ForwardingActor.class, () -> new ForwardingActor(consumer)), name);
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder().matchAny(consumer::accept).build();
  }
}
