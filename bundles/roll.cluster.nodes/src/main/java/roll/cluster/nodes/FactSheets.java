package roll.cluster.nodes;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.MessageHandler;
import roll.cluster.NodeFacts;

/** What nodes say of themselves, through their services {@link NodeFacts}. */
final class FactSheets {
  static final String TOPIC = "roll.facts";
  private static final Duration LIMIT = Duration.ofSeconds(1);

  private FactSheets() {}

  /** Answers with what all services say. */
  static MessageHandler handler(BundleContext context) {
    return (_, _) -> CompletableFuture.completedFuture(Wording.bytes(facts(context)));
  }

  private static Map<String, String> facts(BundleContext context) {
    Map<String, String> all = new TreeMap<>();
    try {
      Collection<ServiceReference<NodeFacts>> found =
          context.getServiceReferences(NodeFacts.class, null);
      for (ServiceReference<NodeFacts> reference : found) {
        NodeFacts facts = context.getService(reference);
        if (facts != null) {
          all.putAll(facts.facts());
          context.ungetService(reference);
        }
      }
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e);
    }
    return all;
  }

  /** What {@code member} says; nothing where it does not answer in a second. */
  static CompletableFuture<Map<String, String>> ask(Membership membership, Member member) {
    return membership
        .call(member, TOPIC, new byte[0], LIMIT)
        .thenApply(FactSheets::read)
        .exceptionally(_ -> Map.of());
  }

  private static Map<String, String> read(byte[] answer) {
    Map<String, String> facts = new TreeMap<>();
    for (Map.Entry<String, JsonElement> fact : Wording.read(answer, JsonObject.class).entrySet()) {
      facts.put(fact.getKey(), fact.getValue().getAsString());
    }
    return facts;
  }
}
