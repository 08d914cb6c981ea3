package roll.cluster.nodes;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.MessageHandler;
import roll.cluster.NodeFacts;
import roll.runtime.nodes.NodeStatus;

/** Status of nodes, which each member reports when it is called. */
final class NodeStatuses {
  private static final String TOPIC = "roll.status";
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private NodeStatuses() {}

  /** Returns the handler that answers with the facts of all present services. */
  static Map<String, MessageHandler> handlers(Supplier<Collection<NodeFacts>> services) {
    return Map.of(
        TOPIC,
        (_, _) -> {
          Map<String, String> facts = new TreeMap<>();
          services.get().forEach(service -> facts.putAll(service.facts()));
          return CompletableFuture.completedFuture(EnrolmentMessages.encode(facts));
        });
  }

  /** Answer of a member, with the milliseconds that it took. */
  private record Answer(double millis, Map<String, String> facts) {}

  /** Returns the status of all members, which are called concurrently. */
  static List<NodeStatus> of(Membership membership) {
    List<Member> members = membership.members();
    List<CompletableFuture<Answer>> answers =
        members.stream().map(member -> ask(membership, member)).toList();
    List<NodeStatus> nodes = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      nodes.add(status(membership, members.get(i), i == 0, answers.get(i).join()));
    }
    return nodes;
  }

  private static CompletableFuture<Answer> ask(Membership membership, Member member) {
    long start = System.nanoTime();
    return membership
        .call(member, TOPIC, new byte[0], TIMEOUT)
        .thenApply(answer -> new Answer((System.nanoTime() - start) / 1e6, facts(answer)))
        .exceptionally(_ -> new Answer(-1, Map.of()));
  }

  private static Map<String, String> facts(byte[] answer) {
    Map<String, String> facts = new TreeMap<>();
    EnrolmentMessages.decode(answer, JsonObject.class)
        .entrySet()
        .forEach(fact -> facts.put(fact.getKey(), fact.getValue().getAsString()));
    return facts;
  }

  private static NodeStatus status(
      Membership membership, Member member, boolean first, Answer answer) {
    boolean here = member.equals(membership.self());
    String state =
        !membership.reachable(member) ? "unreachable" : first ? "first" : here ? "this" : "joined";
    return new NodeStatus(
        member.name(),
        member.address(),
        state,
        member.node().version(),
        member.node().cores(),
        member.node().devices(),
        member.node().roles(),
        answer.millis < 0 ? -1 : membership.epoch(),
        answer.millis,
        answer.facts);
  }
}
