package roll.cluster.nodes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import roll.api.option.UserException;
import roll.cluster.ClusterEngine;
import roll.cluster.ClusterNode;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.MembershipEnd;
import roll.cluster.MessageHandler;
import roll.cluster.nodes.EnrolmentMessages.Grant;
import roll.runtime.nodes.JoinRequest;

/** A node that joins a run, and rejoins it after it has lost its membership. */
final class JoiningNode {
  static final Duration JOIN_TIMEOUT = Duration.ofSeconds(20);

  private final ClusterEngine engine;
  private final EnrolmentClient client;
  private final JoinRequest request;
  private final ClusterNode node;
  private final InetSocketAddress address;
  private final CurrentMembership current;
  private final Map<String, MessageHandler> handlers;
  private final Consumer<String> console;

  /**
   * Creates a node.
   *
   * @param address to listen on
   * @param current holds the membership while there is one
   * @param handlers handlers of each membership
   * @param console receives lines about what happens
   */
  JoiningNode(
      ClusterEngine engine,
      EnrolmentClient client,
      JoinRequest request,
      ClusterNode node,
      InetSocketAddress address,
      CurrentMembership current,
      Map<String, MessageHandler> handlers,
      Consumer<String> console) {
    this.engine = engine;
    this.client = client;
    this.request = request;
    this.node = node;
    this.address = address;
    this.current = current;
    this.handlers = handlers;
    this.console = console;
  }

  /** Returns when the run is over. */
  void run() throws InterruptedException {
    JoinToken token = JoinToken.parse("join: --token", request.token());
    EnrolmentClient.Enrolled enrolled = retry(() -> client.enrol(token, node.name()));
    Grant grant = enrolled.grant();
    boolean first = true;
    while (true) {
      try (Membership membership = engine.open(config(enrolled, grant), handlers)) {
        current.set(membership, enrolled.identity() == null, console::accept);
        console.accept(joined(membership, grant));
        MembershipEnd end = end(membership);
        if (end.kind() == MembershipEnd.Kind.FIRST_LEFT) {
          console.accept("the run " + grant.name() + " is over");
          return;
        }
        console.accept(end.why());
      } catch (IOException e) {
        if (first && e.getCause() instanceof IOException) { // cannot listen on the address
          throw new UserException("join: " + e.getMessage(), e);
        }
        console.accept(String.valueOf(e.getMessage()));
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      } finally {
        current.clear();
      }
      first = false;
      Thread.sleep(Retry.MIN_PAUSE_MILLIS);
      grant = retry(() -> client.rejoin(enrolled.identity()));
    }
  }

  /** Waits for the end; an interrupt ends the services that use the membership before it leaves. */
  private MembershipEnd end(Membership membership) throws InterruptedException, ExecutionException {
    try {
      return membership.ended().get();
    } catch (InterruptedException e) {
      current.clear();
      throw e;
    }
  }

  /** Retries while the run is not reachable: it may start, or be resumed. */
  private <T> T retry(Retry.Action<T> action) throws InterruptedException {
    AtomicBoolean reported = new AtomicBoolean();
    return Retry.untilDone(
        action,
        failure -> {
          if (!reported.getAndSet(true)) {
            console.accept("waiting for the run: " + failure.getMessage() + "; Ctrl-C ends this");
          }
        });
  }

  private MembershipConfig config(EnrolmentClient.Enrolled enrolled, Grant grant) {
    return new MembershipConfig(
        grant.run(),
        node,
        address,
        List.of(HostPort.parse(request.at(), grant.members(), 0)),
        enrolled.identity(),
        grant.epoch(),
        JOIN_TIMEOUT);
  }

  private static String joined(Membership membership, Grant grant) {
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
