package roll.cluster.pekko;

import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.Props;

/** An actor that passes bytes on. */
final class Mailbox extends AbstractActor {
  private final Consumer<byte[]> taker;

  private Mailbox(Consumer<byte[]> taker) {
    this.taker = taker;
  }

  static Props of(Consumer<byte[]> taker) {
    return Props.create(Mailbox.class, () -> new Mailbox(taker));
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder().match(byte[].class, taker::accept).build();
  }
}
