package roll.cluster.nodes;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.cluster.identity.Authority;
import roll.cluster.identity.AuthorityTrust;
import roll.cluster.identity.CertificateRequest;
import roll.cluster.identity.Identity;
import roll.cluster.identity.PemText;
import roll.runtime.nodes.NodeStatus;

/** Asks the first node of a run. */
final class EnrolmentClient {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final String place;
  private final String version;

  /** Of this node, however often it asks: the name that it asks for is kept for its key. */
  private final KeyPair key = Authority.newKey();

  private InetSocketAddress at;

  /**
   * A client of the first node that listens there, for one thread.
   *
   * @param place as a person wrote it
   * @param version of roll, of this node
   */
  EnrolmentClient(String place, String version) {
    this.place = place;
    this.at = find();
    this.version = version;
  }

  /**
   * What a node has got.
   *
   * @param identity null in the clear
   */
  record Enrolled(@Nullable Identity identity, Wording.Grant grant) {}

  /**
   * Becomes a node of the run, also when the answer to an earlier question was lost: the key is
   * made here and does not leave.
   *
   * @throws UserException if the run does not want this node, or is not the one of the token
   * @throws IOException if the run cannot be reached; one line
   */
  Enrolled enrol(JoinToken token, String node) throws IOException, InterruptedException {
    Base64.Encoder base64 = Base64.getEncoder();
    byte[] fingerprint = token.fingerprint();
    byte[] own =
        fingerprint == null
            ? key.getPublic().getEncoded()
            : CertificateRequest.of(node, key).bytes();
    String request = base64.encodeToString(own);
    Wording.Ask ask =
        new Wording.Ask(version, node, base64.encodeToString(token.secret()), request);
    SSLContext context = fingerprint == null ? null : AuthorityTrust.context(fingerprint);
    Wording.Grant grant = granted(post(context, Wording.ENROL, ask, Wording.Grant.class));
    if (fingerprint == null) {
      return new Enrolled(null, grant);
    }
    try {
      return new Enrolled(
          new Identity(
              key.getPrivate(),
              PemText.certificate(grant.certificate()),
              PemText.certificate(grant.authority())),
          grant);
    } catch (IllegalArgumentException e) {
      throw new UserException(where() + " gave this node no certificate: " + e.getMessage(), e);
    }
  }

  private InetSocketAddress find() {
    return ListenAddress.read("join", place, ListenAddress.PORT);
  }

  /**
   * Asks to join again; the same exceptions. A name is looked up anew: a first node that was
   * started again, in another pod or on another machine, may have another address.
   */
  Wording.Grant rejoin(@Nullable Identity identity) throws IOException, InterruptedException {
    try {
      at = find();
    } catch (UserException e) {
      throw new IOException(e.getMessage(), e); // its name may come back with it
    }
    SSLContext context = identity == null ? null : identity.context();
    return granted(post(context, Wording.REJOIN, new Wording.Again(version), Wording.Grant.class));
  }

  /** The nodes of the run, for who has a token; the same exceptions. */
  List<NodeStatus> nodes(JoinToken token) throws IOException, InterruptedException {
    byte[] fingerprint = token.fingerprint();
    return nodes(
        fingerprint == null ? null : AuthorityTrust.context(fingerprint),
        Base64.getEncoder().encodeToString(token.secret()));
  }

  /** The nodes of the run, for who has a certificate of it; null in the clear. */
  List<NodeStatus> nodes(@Nullable Identity identity) throws IOException, InterruptedException {
    return nodes(identity == null ? null : identity.context(), "");
  }

  private List<NodeStatus> nodes(@Nullable SSLContext context, String secret)
      throws IOException, InterruptedException {
    Wording.Look look = new Wording.Look(version, secret);
    List<NodeStatus> nodes = post(context, Wording.NODES, look, Wording.Seen.class).nodes();
    return List.copyOf(told(nodes));
  }

  private Wording.Grant granted(Wording.Grant grant) {
    told(grant.run());
    told(grant.members());
    return grant;
  }

  /** What Gson made may lack anything. */
  private <T> T told(@Nullable T part) {
    if (part == null) {
      throw new UserException(noRun());
    }
    return part;
  }

  private <T> T post(@Nullable SSLContext context, String path, Object said, Class<T> kind)
      throws IOException, InterruptedException {
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE);
    if (context != null) {
      builder.sslContext(context);
    }
    URI uri = URI.create((context == null ? "http://" : "https://") + where() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(Wording.bytes(said)))
            .build();
    try (HttpClient client = builder.build()) {
      return read(client.send(request, HttpResponse.BodyHandlers.ofByteArray()), kind);
    } catch (SSLException e) {
      if (broken(e)) {
        throw new IOException(where() + ": " + why(e), e);
      }
      throw stranger(e);
    } catch (IOException e) {
      throw new IOException(where() + ": " + why(e), e);
    }
  }

  private <T> T read(HttpResponse<byte[]> response, Class<T> kind) {
    try {
      if (response.statusCode() == 200) {
        return Wording.read(response.body(), kind);
      }
      Wording.Refusal refusal = Wording.read(response.body(), Wording.Refusal.class);
      throw new UserException(where() + " refuses this node: " + refusal.error());
    } catch (IllegalArgumentException e) {
      throw new UserException(noRun(), e);
    }
  }

  private String noRun() {
    return "what listens at " + where() + " is no run of roll";
  }

  /** Whether the connection ended, rather than one side refused the other. */
  private static boolean broken(SSLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof EOFException || cause instanceof SocketException) {
        return true;
      }
    }
    return false;
  }

  private UserException stranger(SSLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException) {
        return new UserException(
            "what listens at " + where() + " is not the run that the token is of", e);
      }
    }
    return new UserException(
        "what listens at " + where() + " does not know this node: " + e.getMessage(), e);
  }

  private static String why(IOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause.getMessage() != null) {
        return cause.getMessage();
      }
    }
    return "nobody listens there, or a firewall stands between";
  }

  private String where() {
    return ListenAddress.text(at);
  }
}
