package roll.cluster.nodes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import roll.api.option.UserException;
import roll.cluster.ClusterEngine;
import roll.cluster.ClusterNode;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.MembershipEnd;
import roll.runtime.nodes.JoinRequest;

/** A node that joins a run, and joins it again. */
final class JoinedNode {
  /** How long a node tries to become a member. */
  static final Duration LIMIT = Duration.ofSeconds(20);

  private static final long LEAST_WAIT = 500;
  private static final long MOST_WAIT = 5_000;

  private final ClusterEngine engine;
  private final EnrolmentClient client;
  private final JoinRequest order;
  private final ClusterNode node;
  private final InetSocketAddress own;
  private final PresentMembership here;
  private final Consumer<String> say;

  /**
   * A node that does as {@code order} says.
   *
   * @param own where it listens
   * @param here has the membership while there is one
   */
  JoinedNode(
      ClusterEngine engine,
      EnrolmentClient client,
      JoinRequest order,
      ClusterNode node,
      InetSocketAddress own,
      PresentMembership here,
      Consumer<String> say) {
    this.engine = engine;
    this.client = client;
    this.order = order;
    this.node = node;
    this.own = own;
    this.here = here;
    this.say = say;
  }

  /** Returns when the run is over. */
  void serve() throws InterruptedException {
    EnrolmentClient.Enrolled enrolled = enrol();
    Wording.Grant grant = enrolled.grant();
    boolean first = true;
    while (true) {
      try (Membership membership = engine.open(place(enrolled, grant), Pings.handlers())) {
        here.set(membership, enrolled.identity() == null, say::accept);
        say.accept(joined(membership, grant));
        MembershipEnd end = end(membership);
        if (end.kind() == MembershipEnd.Kind.FIRST_LEFT) {
          say.accept("the run " + grant.name() + " is over");
          return;
        }
        say.accept(end.why());
      } catch (IOException e) {
        if (first && e.getCause() instanceof IOException) { // its place cannot be listened at
          throw new UserException("join: " + e.getMessage(), e);
        }
        say.accept(String.valueOf(e.getMessage()));
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      } finally {
        here.clear();
      }
      first = false;
      grant = again(enrolled);
    }
  }

  /** Waits; who is interrupted ends what it was given to do, and only then leaves. */
  private MembershipEnd end(Membership membership) throws InterruptedException, ExecutionException {
    try {
      return membership.ended().get();
    } catch (InterruptedException e) {
      here.clear();
      throw e;
    }
  }

  private EnrolmentClient.Enrolled enrol() throws InterruptedException {
    JoinToken token = JoinToken.read("join: --token", order.token());
    return asked(() -> client.enrol(token, node.name()));
  }

  private Wording.Grant again(EnrolmentClient.Enrolled enrolled) throws InterruptedException {
    Thread.sleep(LEAST_WAIT);
    return asked(() -> client.rejoin(enrolled.identity()));
  }

  /** Asks the first node. */
  private interface Question<T> {
    T ask() throws IOException, InterruptedException;
  }

  /** Waits for as long as the run is not there: it may begin, or be resumed. */
  private <T> T asked(Question<T> question) throws InterruptedException {
    boolean said = false;
    for (long wait = LEAST_WAIT; ; wait = Math.min(MOST_WAIT, 2 * wait)) {
      try {
        return question.ask();
      } catch (IOException e) {
        if (!said) {
          say.accept("waiting for the run: " + e.getMessage() + "; Ctrl-C ends this");
          said = true;
        }
      }
      Thread.sleep(wait);
    }
  }

  private MembershipConfig place(EnrolmentClient.Enrolled enrolled, Wording.Grant grant) {
    return new MembershipConfig(
        grant.run(),
        node,
        own,
        List.of(ListenAddress.read(order.at(), grant.members(), 0)),
        enrolled.identity(),
        grant.epoch(),
        LIMIT);
  }

  private static String joined(Membership membership, Wording.Grant grant) {
    ClusterNode self = membership.self().node();
    return "joined the run %s as %s, epoch %d; offers %d %s%s%s; Ctrl-C leaves"
        .formatted(
            grant.name(),
            membership.self(),
            membership.epoch(),
            self.cores(),
            self.cores() == 1 ? "core" : "cores",
            self.devices().isEmpty() ? "" : " and devices " + String.join(", ", self.devices()),
            self.roles().isEmpty() ? "" : "; plays " + String.join(", ", self.roles()));
  }
}
