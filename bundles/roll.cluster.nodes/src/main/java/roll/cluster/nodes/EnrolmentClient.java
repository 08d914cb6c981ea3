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
import roll.cluster.nodes.EnrolmentMessages.Grant;
import roll.cluster.nodes.EnrolmentMessages.NodeList;
import roll.cluster.nodes.EnrolmentMessages.Request;
import roll.runtime.nodes.NodeStatus;

/** Client of the {@link EnrolmentService} of a first node, for one thread. */
final class EnrolmentClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final String place;
  private final String version;

  /** Key of this node; names are reserved for keys, so it is the same for every request. */
  private final KeyPair key = Authority.newKey();

  private InetSocketAddress address;

  /**
   * Creates a client.
   *
   * @param place address of the first node, as the user wrote it
   * @param version version of roll of this node
   */
  EnrolmentClient(String place, String version) {
    this.place = place;
    this.address = resolve();
    this.version = version;
  }

  /**
   * Result of enrolling.
   *
   * @param identity null without TLS
   */
  record Enrolled(@Nullable Identity identity, Grant grant) {}

  /**
   * Enrols a node; can be repeated if the answer was lost.
   *
   * @throws UserException if the run rejects this node, or is not that of the token
   * @throws IOException if the run cannot be reached; the message is one line
   */
  Enrolled enrol(JoinToken token, String node) throws IOException, InterruptedException {
    Base64.Encoder base64 = Base64.getEncoder();
    byte[] request =
        token.fingerprint() == null
            ? key.getPublic().getEncoded()
            : CertificateRequest.of(node, key).bytes();
    Grant grant =
        grant(
            context(token),
            EnrolmentMessages.ENROL,
            new Request(
                version,
                node,
                base64.encodeToString(token.secret()),
                base64.encodeToString(request)));
    if (token.fingerprint() == null) {
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
      throw new UserException(server() + " sent an invalid certificate: " + e.getMessage(), e);
    }
  }

  private InetSocketAddress resolve() {
    return HostPort.parse("join", place, HostPort.DEFAULT_PORT);
  }

  /**
   * Asks the first node to let this node rejoin the run. The name of the first node is resolved
   * again, because it may have been restarted with another address.
   *
   * @throws UserException like {@link #enrol}
   * @throws IOException like {@link #enrol}
   */
  Grant rejoin(@Nullable Identity identity) throws IOException, InterruptedException {
    try {
      address = resolve();
    } catch (UserException e) {
      throw new IOException(e.getMessage(), e); // the name may become known again
    }
    return grant(
        context(identity), EnrolmentMessages.REJOIN, new Request(version, null, null, null));
  }

  /**
   * Lists the nodes of the run.
   *
   * @throws UserException like {@link #enrol}
   * @throws IOException like {@link #enrol}
   */
  List<NodeStatus> nodes(JoinToken token) throws IOException, InterruptedException {
    return nodes(context(token), Base64.getEncoder().encodeToString(token.secret()));
  }

  /** Like {@link #nodes(JoinToken)}, with a certificate of the run; null without TLS. */
  List<NodeStatus> nodes(@Nullable Identity identity) throws IOException, InterruptedException {
    return nodes(context(identity), "");
  }

  private List<NodeStatus> nodes(@Nullable SSLContext context, String secret)
      throws IOException, InterruptedException {
    Request request = new Request(version, null, secret, null);
    return List.copyOf(
        present(post(context, EnrolmentMessages.NODES, request, NodeList.class).nodes()));
  }

  private static @Nullable SSLContext context(JoinToken token) {
    byte[] fingerprint = token.fingerprint();
    return fingerprint == null ? null : AuthorityTrust.context(fingerprint);
  }

  private static @Nullable SSLContext context(@Nullable Identity identity) {
    return identity == null ? null : identity.context();
  }

  private Grant grant(@Nullable SSLContext context, String path, Request request)
      throws IOException, InterruptedException {
    Grant grant = post(context, path, request, Grant.class);
    present(grant.run());
    present(grant.members());
    return grant;
  }

  /** Verifies a field of a decoded message, any of which may be missing. */
  private <T> T present(@Nullable T field) {
    if (field == null) {
      throw new UserException(notRoll());
    }
    return field;
  }

  private <T> T post(@Nullable SSLContext context, String path, Request message, Class<T> type)
      throws IOException, InterruptedException {
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT);
    if (context != null) {
      builder.sslContext(context);
    }
    URI uri = URI.create((context == null ? "http://" : "https://") + server() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(EnrolmentMessages.encode(message)))
            .build();
    try (HttpClient client = builder.build()) {
      return decode(client.send(request, HttpResponse.BodyHandlers.ofByteArray()), type);
    } catch (SSLException e) {
      if (caused(e, EOFException.class) || caused(e, SocketException.class)) {
        throw unreachable(e);
      }
      throw new UserException(
          caused(e, CertificateException.class)
              ? "the server at " + server() + " does not belong to the run of the token"
              : "the server at " + server() + " rejects this node: " + e.getMessage(),
          e);
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private <T> T decode(HttpResponse<byte[]> response, Class<T> type) {
    try {
      if (response.statusCode() == 200) {
        return EnrolmentMessages.decode(response.body(), type);
      }
      String error =
          EnrolmentMessages.decode(response.body(), EnrolmentMessages.Refusal.class).error();
      throw new UserException(server() + " refuses this node: " + error);
    } catch (IllegalArgumentException e) {
      throw new UserException(notRoll(), e);
    }
  }

  private String notRoll() {
    return "the server at " + server() + " is not the first node of a run";
  }

  private static boolean caused(Throwable e, Class<? extends Throwable> type) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  private IOException unreachable(IOException e) {
    String why = "no connection (nothing listens there, or a firewall blocks it)";
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause.getMessage() != null) {
        why = cause.getMessage();
        break;
      }
    }
    return new IOException(server() + ": " + why, e);
  }

  private String server() {
    return HostPort.format(address);
  }
}
