package roll.cluster.nodes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
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
import roll.cluster.nodes.EnrolmentMessages.Grant;
import roll.cluster.nodes.EnrolmentMessages.NodeList;
import roll.cluster.nodes.EnrolmentMessages.Request;
import roll.http.Exchange;
import roll.http.HttpRefusal;
import roll.http.HttpService;
import roll.http.RequestBody;
import roll.runtime.nodes.NodeStatus;

/**
 * HTTP service of the first node that enrols nodes. Until a client presents the secret or a
 * certificate of the run, its requests have no effect. Thread-safe.
 */
final class EnrolmentService implements HttpService {
  /** Time for which a name is reserved for an enrolled node that is not yet a member. */
  static final Duration RESERVATION = JoiningNode.JOIN_TIMEOUT.plusSeconds(5);

  private static final Duration TOKEN_VALIDITY = Duration.ofHours(24);
  private static final String HINT = "nodes join here; users run ./roll join";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,62}");

  /**
   * Owner of a name.
   *
   * @param key key of its certificate; without TLS the key that it sent
   * @param until end of the reservation
   */
  private record Owner(String key, Instant until) {}

  private final Map<String, Owner> owners = new ConcurrentHashMap<>();
  private final @Nullable Authority authority;
  private final byte[] secret;
  private final Instant tokenExpiry = Instant.now().plus(TOKEN_VALIDITY);
  private final String version;
  private final Predicate<String> member;
  private final Supplier<Grant> grant;
  private final Supplier<List<NodeStatus>> nodes;

  /**
   * Creates the enrolment service of one run.
   *
   * @param authority signs certificates; null without TLS
   * @param secret secret of the token
   * @param version required version of roll
   * @param member whether a node with this name is a member
   * @param grant creates a grant without certificates
   * @param nodes lists the nodes
   */
  EnrolmentService(
      @Nullable Authority authority,
      byte[] secret,
      String version,
      Predicate<String> member,
      Supplier<Grant> grant,
      Supplier<List<NodeStatus>> nodes) {
    this.authority = authority;
    this.secret = secret.clone();
    this.version = version;
    this.member = member;
    this.grant = grant;
    this.nodes = nodes;
  }

  @Override
  public void answer(Exchange exchange) throws IOException {
    if (!exchange.method().equals("POST")) {
      throw new HttpRefusal(405, HINT);
    }
    Object answer;
    try (RequestBody body = exchange.body()) {
      Request request = EnrolmentMessages.decode(body.bytes(), Request.class);
      answer =
          switch (exchange.path()) {
            case EnrolmentMessages.ENROL -> enrol(request);
            case EnrolmentMessages.REJOIN -> rejoin(request, exchange.peer());
            case EnrolmentMessages.NODES -> nodes(request, exchange.peer());
            default -> throw new HttpRefusal(404, HINT);
          };
    } catch (IllegalArgumentException e) {
      throw new HttpRefusal(400, String.valueOf(e.getMessage()));
    }
    exchange.send(200, "application/json", EnrolmentMessages.encode(answer));
  }

  private Grant enrol(Request request) {
    checkSecret(request.secret());
    checkVersion(request.version());
    String node = Objects.requireNonNullElse(request.node(), "");
    if (!NAME.matcher(node).matches()) {
      throw new HttpRefusal(400, "the name of a node must be letters, digits, dots and dashes");
    }
    String key = Objects.requireNonNullElse(request.request(), "");
    Authority signer = authority;
    if (signer == null) {
      reserve(node, key.isEmpty() ? UUID.randomUUID().toString() : key);
      return grant.get();
    }
    CertificateRequest signing = CertificateRequest.read(Base64.getDecoder().decode(key));
    if (!signing.node().equals(node)) {
      throw new HttpRefusal(400, "the certificate request names another node");
    }
    reserve(node, text(signing.key()));
    Grant granted = grant.get();
    return new Grant(
        granted.name(),
        granted.run(),
        granted.members(),
        granted.epoch(),
        PemText.of(signer.sign(signing)),
        PemText.of(signer.certificate()));
  }

  /** Reserves a name; of several concurrent requests for it, one succeeds. */
  private void reserve(String node, String key) {
    if (node.equals(ListeningNode.NAME)) {
      throw new HttpRefusal(
          409, "the run's first node has the name " + node + ": choose another --name");
    }
    Instant now = Instant.now();
    Owner requested = new Owner(key, now.plus(RESERVATION));
    Owner owner =
        owners.merge(
            node,
            requested,
            (present, next) ->
                present.key.equals(key) || !(now.isBefore(present.until) || member.test(node))
                    ? next
                    : present);
    if (!owner.equals(requested)) {
      throw new HttpRefusal(
          409,
          member.test(node)
              ? "a node " + node + " is a member: choose another --name"
              : "a node %s is about to join: choose another --name, or wait for %d s"
                  .formatted(node, RESERVATION.toSeconds()));
    }
  }

  /** Ends the reservation of a name whose node is now a member, which keeps it while it is one. */
  void joined(String node) {
    owners.computeIfPresent(node, (_, owner) -> new Owner(owner.key, Instant.now()));
  }

  private static String text(PublicKey key) {
    return Base64.getEncoder().encodeToString(key.getEncoded());
  }

  private Grant rejoin(Request request, @Nullable X509Certificate peer) {
    if (authority != null && peer == null) {
      throw new HttpRefusal(403, "to rejoin, a node must present its certificate");
    }
    checkVersion(request.version());
    if (peer != null) {
      reserve(Identity.node(peer), text(peer.getPublicKey()));
    }
    return grant.get();
  }

  private NodeList nodes(Request request, @Nullable X509Certificate peer) {
    if (authority != null && peer == null) {
      checkSecret(request.secret());
    }
    checkVersion(request.version());
    return new NodeList(nodes.get());
  }

  private void checkSecret(@Nullable String presented) {
    byte[] bytes = Base64.getDecoder().decode(Objects.requireNonNullElse(presented, ""));
    if (!MessageDigest.isEqual(secret, bytes)) {
      throw new HttpRefusal(403, "the token is not of this run, or of an earlier start of it");
    }
    if (!Instant.now().isBefore(tokenExpiry)) {
      throw new HttpRefusal(
          403,
          "the token has expired after "
              + TOKEN_VALIDITY.toHours()
              + " hours; restart the run for a new one");
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
    return new String(
        EnrolmentMessages.encode(new EnrolmentMessages.Refusal(message)), StandardCharsets.UTF_8);
  }
}
