package roll.cluster.nodes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.cluster.identity.Authority;
import roll.cluster.identity.CertificateRequest;
import roll.cluster.identity.Identity;
import roll.cluster.identity.PemText;
import roll.http.Body;
import roll.http.Exchange;
import roll.http.HttpRefusal;
import roll.http.HttpService;
import roll.runtime.nodes.NodeStatus;

/**
 * Where strangers become nodes. Nothing that they send does more than be refused, until they have
 * shown a secret of the run. Can be used by all threads.
 */
final class EnrolmentDesk implements HttpService {
  private static final Pattern NODE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,62}");

  /** How long a name is kept for a node that has enrolled and is not a member yet. */
  static final Duration KEPT = JoinedNode.LIMIT.plusSeconds(5);

  /**
   * Who has a name.
   *
   * @param key of its certificate; in the clear, of its own
   * @param until when nobody else gets it, although its owner is no member yet
   */
  private record Owner(String key, Instant until) {}

  /** Names that were given away. */
  private final Map<String, Owner> names = new ConcurrentHashMap<>();

  private final @Nullable Authority authority;
  private final TokenBook tokens;
  private final String version;
  private final Clock clock;
  private final Predicate<String> present;
  private final Supplier<Wording.Grant> grant;
  private final Supplier<List<NodeStatus>> nodes;

  /**
   * A desk of one run.
   *
   * @param authority that signs; null in the clear
   * @param version of roll that nodes must have
   * @param present whether a node of this name is a member
   * @param grant what a node is told that has no certificate to get
   * @param nodes that there are
   */
  EnrolmentDesk(
      @Nullable Authority authority,
      TokenBook tokens,
      String version,
      Clock clock,
      Predicate<String> present,
      Supplier<Wording.Grant> grant,
      Supplier<List<NodeStatus>> nodes) {
    this.authority = authority;
    this.tokens = tokens;
    this.version = version;
    this.clock = clock;
    this.grant = grant;
    this.nodes = nodes;
    this.present = present;
  }

  @Override
  public void answer(Exchange exchange) throws IOException {
    if (!exchange.method().equals("POST")) {
      throw new HttpRefusal(405, "nodes join here; a person uses ./roll join");
    }
    Object answer;
    try (Body body = exchange.body()) {
      byte[] said = body.bytes();
      answer =
          switch (exchange.path()) {
            case Wording.ENROL -> enrol(Wording.read(said, Wording.Ask.class));
            case Wording.REJOIN -> rejoin(Wording.read(said, Wording.Again.class), exchange.peer());
            case Wording.NODES -> nodes(Wording.read(said, Wording.Look.class), exchange.peer());
            default -> throw new HttpRefusal(404, "nodes join here; a person uses ./roll join");
          };
    } catch (IllegalArgumentException e) {
      throw new HttpRefusal(400, String.valueOf(e.getMessage()));
    }
    exchange.send(200, "application/json", Wording.bytes(answer));
  }

  private Wording.Grant enrol(Wording.Ask ask) {
    checkSecret(ask.secret());
    checkVersion(ask.version());
    String node = Objects.requireNonNullElse(ask.node(), "");
    if (!NODE.matcher(node).matches()) {
      throw new HttpRefusal(400, "the name of a node must be letters, digits, dots and dashes");
    }
    Authority signs = authority;
    if (signs == null) {
      String own = Objects.requireNonNullElse(ask.request(), "");
      take(node, own.isEmpty() ? UUID.randomUUID().toString() : own);
      return grant.get();
    }
    CertificateRequest request =
        CertificateRequest.read(
            Base64.getDecoder().decode(Objects.requireNonNullElse(ask.request(), "")));
    if (!request.node().equals(node)) {
      throw new HttpRefusal(400, "the request is of another node");
    }
    take(node, text(request.key()));
    Wording.Grant given = grant.get();
    return new Wording.Grant(
        given.name(),
        given.run(),
        given.members(),
        given.epoch(),
        PemText.of(signs.sign(request)),
        PemText.of(signs.certificate()));
  }

  /** Of several that want a name at once one gets it. */
  private void take(String node, String key) {
    if (node.equals(FirstNodeOpening.NAME)) {
      throw new HttpRefusal(
          409, "the run's first node has the name " + node + ": choose another --name");
    }
    Instant now = clock.instant();
    Owner taken = new Owner(key, now.plus(KEPT));
    Owner owner =
        names.merge(
            node,
            taken,
            (before, next) ->
                before.key.equals(key) || !(now.isBefore(before.until) || present.test(node))
                    ? next
                    : before);
    if (!owner.equals(taken)) {
      throw new HttpRefusal(
          409,
          present.test(node)
              ? "there is a node " + node + " already: choose another --name"
              : "a node %s is about to join: choose another --name, or wait for %d s"
                  .formatted(node, KEPT.toSeconds()));
    }
  }

  /** A node of this name is a member: from now on it has the name for as long as it is one. */
  void arrived(String node) {
    names.computeIfPresent(node, (_, owner) -> new Owner(owner.key, clock.instant()));
  }

  private static String text(PublicKey key) {
    return Base64.getEncoder().encodeToString(key.getEncoded());
  }

  private Wording.Grant rejoin(Wording.Again again, @Nullable X509Certificate peer) {
    if (authority != null && peer == null) {
      throw new HttpRefusal(403, "a node that joins again shows its certificate");
    }
    checkVersion(again.version());
    if (peer != null) {
      take(Identity.node(peer), text(peer.getPublicKey()));
    }
    return grant.get();
  }

  private Wording.Seen nodes(Wording.Look look, @Nullable X509Certificate peer) {
    if (authority != null && peer == null) {
      checkSecret(look.secret());
    }
    checkVersion(look.version());
    return new Wording.Seen(nodes.get());
  }

  private void checkSecret(@Nullable String secret) {
    String problem =
        tokens.problem(Base64.getDecoder().decode(Objects.requireNonNullElse(secret, "")));
    if (problem != null) {
      throw new HttpRefusal(403, problem);
    }
  }

  private void checkVersion(@Nullable String other) {
    if (!version.equals(other)) {
      throw new HttpRefusal(
          409, "the run is of roll " + version + ", and this node is of roll " + other);
    }
  }

  @Override
  public String refusal(int status, String message) {
    return new String(Wording.bytes(new Wording.Refusal(message)), StandardCharsets.UTF_8);
  }
}
