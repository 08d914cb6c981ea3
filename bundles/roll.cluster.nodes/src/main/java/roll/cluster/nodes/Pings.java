package roll.cluster.nodes;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.MessageHandler;
import roll.runtime.nodes.NodeStatus;

/** Asks nodes whether they are there. */
final class Pings {
  private static final String TOPIC = "roll.ping";
  private static final Duration LIMIT = Duration.ofSeconds(1);

  private Pings() {}

  /** The answer: when the question came. The epoch is in the frame already. */
  static Map<String, MessageHandler> handlers() {
    return Map.of(TOPIC, (_, bytes) -> CompletableFuture.completedFuture(bytes));
  }

  /** How all members are, asked at once. */
  static List<NodeStatus> ask(Membership membership) {
    List<CompletableFuture<Double>> answers = new ArrayList<>();
    List<CompletableFuture<Map<String, String>>> facts = new ArrayList<>();
    List<Member> members = membership.members();
    for (Member member : members) {
      answers.add(ask(membership, member));
      facts.add(FactSheets.ask(membership, member));
    }
    List<NodeStatus> nodes = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      double lag = millis(answers.get(i));
      nodes.add(status(membership, members.get(i), i == 0, lag, facts.get(i).join()));
    }
    return nodes;
  }

  private static CompletableFuture<Double> ask(Membership membership, Member member) {
    long start = System.nanoTime();
    byte[] question = ByteBuffer.allocate(Long.BYTES).putLong(start).array();
    return membership
        .call(member, TOPIC, question, LIMIT)
        .thenApply(_ -> (System.nanoTime() - start) / 1e6);
  }

  private static double millis(CompletableFuture<Double> answer) {
    try {
      return answer.join();
    } catch (CompletionException e) {
      return -1;
    }
  }

  private static NodeStatus status(
      Membership membership,
      Member member,
      boolean first,
      double millis,
      Map<String, String> facts) {
    boolean here = member.equals(membership.self());
    String state =
        !membership.reachable(member) ? "unreachable" : first ? "first" : here ? "this" : "joined";
    String address =
        (member.host().contains(":") ? "[" + member.host() + "]" : member.host())
            + ":"
            + member.port();
    return new NodeStatus(
        member.name(),
        address,
        state,
        member.node().version(),
        member.node().cores(),
        member.node().devices(),
        member.node().roles(),
        millis < 0 ? -1 : membership.epoch(),
        millis,
        facts);
  }
}
