package roll.cluster.nodes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.cluster.identity.Authority;
import roll.cluster.identity.CertificateRequest;
import roll.cluster.identity.PemText;
import roll.http.Body;
import roll.http.Exchange;
import roll.http.HttpRefusal;
import roll.http.HttpService;

/**
 * Where strangers become nodes. Nothing that they send does more than be refused, until they have
 * shown a secret of the run. Can be used by all threads.
 */
final class EnrolmentDesk implements HttpService {
  private static final Pattern NODE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,62}");

  /** Names that were given away, and the key that has each. A process that is gone needs none. */
  private final Map<String, String> names = new ConcurrentHashMap<>();

  private final @Nullable Authority authority;
  private final TokenBook tokens;
  private final String version;
  private final Predicate<String> present;
  private final Supplier<Wording.Grant> grant;

  /**
   * A desk of one run.
   *
   * @param authority that signs; null in the clear
   * @param version of roll that nodes must have
   * @param present whether a node of this name is a member
   * @param grant what a node is told that has no certificate to get
   */
  EnrolmentDesk(
      @Nullable Authority authority,
      TokenBook tokens,
      String version,
      Predicate<String> present,
      Supplier<Wording.Grant> grant) {
    this.authority = authority;
    this.tokens = tokens;
    this.version = version;
    this.grant = grant;
    this.present = present;
  }

  @Override
  public void answer(Exchange exchange) throws IOException {
    if (!exchange.method().equals("POST")) {
      throw new HttpRefusal(405, "nodes join here; a person uses ./roll join");
    }
    Wording.Grant answer;
    try (Body body = exchange.body()) {
      byte[] said = body.bytes();
      answer =
          switch (exchange.path()) {
            case Wording.ENROL -> enrol(Wording.read(said, Wording.Ask.class));
            case Wording.REJOIN -> rejoin(Wording.read(said, Wording.Again.class), exchange.peer());
            default -> throw new HttpRefusal(404, "nodes join here; a person uses ./roll join");
          };
    } catch (IllegalArgumentException e) {
      throw new HttpRefusal(400, String.valueOf(e.getMessage()));
    }
    exchange.send(200, "application/json", Wording.bytes(answer));
  }

  private Wording.Grant enrol(Wording.Ask ask) {
    byte[] secret = Base64.getDecoder().decode(Objects.requireNonNullElse(ask.secret(), ""));
    String problem = tokens.problem(secret);
    if (problem != null) {
      throw new HttpRefusal(403, problem);
    }
    checkVersion(ask.version());
    String node = Objects.requireNonNullElse(ask.node(), "");
    if (!NODE.matcher(node).matches()) {
      throw new HttpRefusal(400, "the name of a node must be letters, digits, dots and dashes");
    }
    Authority signs = authority;
    if (signs == null) {
      take(node, "in the clear " + node);
      return grant.get();
    }
    CertificateRequest request =
        CertificateRequest.read(
            Base64.getDecoder().decode(Objects.requireNonNullElse(ask.request(), "")));
    if (!request.node().equals(node)) {
      throw new HttpRefusal(400, "the request is of another node");
    }
    take(node, Base64.getEncoder().encodeToString(request.key().getEncoded()));
    Wording.Grant given = grant.get();
    return new Wording.Grant(
        given.name(),
        given.run(),
        given.members(),
        given.epoch(),
        PemText.of(signs.sign(request)),
        PemText.of(signs.certificate()));
  }

  private void take(String node, String key) {
    String owner = names.put(node, key);
    if (owner != null && !owner.equals(key) && present.test(node)) {
      names.put(node, owner);
      throw new HttpRefusal(409, "there is a node " + node + " already: choose another --name");
    }
  }

  private Wording.Grant rejoin(Wording.Again again, @Nullable X509Certificate peer) {
    if (authority != null && peer == null) {
      throw new HttpRefusal(403, "a node that joins again shows its certificate");
    }
    checkVersion(again.version());
    return grant.get();
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
