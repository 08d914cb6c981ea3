package roll.cluster.nodes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.cluster.ClusterEngine;
import roll.cluster.ClusterNode;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.MessageHandler;
import roll.cluster.identity.Authority;
import roll.cluster.identity.Fingerprint;
import roll.cluster.identity.Identity;
import roll.cluster.nodes.EnrolmentMessages.Grant;
import roll.http.HttpLimits;
import roll.http.HttpListener;
import roll.http.HttpListenerConfig;
import roll.runtime.nodes.FirstNode;
import roll.runtime.nodes.ListenRequest;

/**
 * The first node of a run, which listens for members and for nodes that want to join.
 *
 * @param listener of the {@link EnrolmentService}
 */
record ListeningNode(
    ListenRequest request, HttpListener listener, FirstMembership membership, String joinLine)
    implements FirstNode {
  /** Name of a first node, which no other node can have. */
  static final String NAME = "first";

  private static final String TOKEN = "ROLL_TOKEN";
  private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(20);

  /** A duration longer than any run. */
  private static final Duration FOREVER = Duration.ofDays(36_500);

  /** Strict limits, since clients are unknown: 256 connections, 64 of one address, 10 s, 64 KiB. */
  private static final HttpLimits LIMITS =
      new HttpLimits(256, 64, Duration.ofSeconds(10), 64 << 10, 4 << 20);

  /**
   * Opens a first node, which other nodes can join.
   *
   * @param version version of roll
   * @param current holds the membership while there is one
   * @param handlers handlers of each membership
   * @param console receives lines about what happens
   * @throws UserException if it cannot listen
   * @throws InterruptedException if the thread was interrupted; everything opened has been closed
   */
  static ListeningNode open(
      ClusterEngine engine,
      String version,
      CurrentMembership current,
      Map<String, MessageHandler> handlers,
      ListenRequest request,
      Consumer<String> console)
      throws InterruptedException {
    InetSocketAddress address =
        HostPort.parseLocal("--listen", request.at(), HostPort.DEFAULT_PORT);
    @Nullable JoinToken given =
        request.token() == null ? null : JoinToken.parse(TOKEN, request.token());
    ClusterStateFolder folder = ClusterStateFolder.open(request.folder());
    if (given != null) {
      check(given, request, folder);
    }
    @Nullable Authority authority = request.plain() ? null : folder.authority();
    @Nullable Identity identity = authority == null ? null : authority.identity(NAME);
    JoinToken token =
        given != null
            ? given
            : JoinToken.create(authority == null ? null : authority.certificate());
    AtomicReference<@Nullable ClusterStateFolder> next = new AtomicReference<>(folder);
    FirstMembership membership;
    try {
      membership =
          FirstMembership.open(
              () -> {
                ClusterStateFolder first = next.getAndSet(null);
                ClusterStateFolder run =
                    first == null ? ClusterStateFolder.open(request.folder()) : first;
                return engine.open(config(run, version, address, identity), handlers);
              },
              current,
              request.plain(),
              console);
    } catch (IOException e) {
      throw new UserException("--listen: " + e.getMessage(), e);
    }
    try {

      EnrolmentService service =
          new EnrolmentService(
              authority,
              token.secret(),
              version,
              name -> membership.get().members().stream().anyMatch(m -> m.name().equals(name)),
              () -> grant(request, folder, membership.get()),
              () -> NodeStatuses.of(membership.get()));
      membership.onJoin(service::joined);
      HttpListener listener = listen(address, identity, service);
      String at = HostPort.format(listener.address());
      ClusterStateFolder.storeAddress(request.folder(), at, request.plain());
      String line = "./roll join " + at + " --token " + token;
      return new ListeningNode(request, listener, membership, line);
    } catch (IOException e) {
      membership.close();
      throw new UserException(
          "--listen: cannot listen on " + HostPort.format(address) + ": " + e.getMessage(), e);
    } catch (RuntimeException e) {
      membership.close();
      throw e;
    }
  }

  private static HttpListener listen(
      InetSocketAddress address, @Nullable Identity identity, EnrolmentService service)
      throws IOException {
    HttpListenerConfig place =
        new HttpListenerConfig(
            address.getAddress(),
            address.getPort(),
            List.of(address.getHostString()),
            null,
            LIMITS);
    return identity == null
        ? HttpListener.start(place, service)
        : HttpListener.start(place, identity.context(), service);
  }

  /** Verifies that a token created beforehand belongs to the authority of the run. */
  private static void check(JoinToken token, ListenRequest request, ClusterStateFolder folder) {
    byte[] fingerprint = token.fingerprint();
    if (request.plain() != (fingerprint == null)) {
      throw new UserException(
          request.plain()
              ? TOKEN + ": a token for TLS does not go with --plain"
              : TOKEN + ": a token without TLS needs --plain");
    }
    byte[] own = Fingerprint.of(folder.authority().certificate());
    if (fingerprint != null && !MessageDigest.isEqual(fingerprint, own)) {
      throw new UserException(
          "%s: is not of the authority in %s; `roll token %s` prints one that is"
              .formatted(
                  TOKEN, request.folder().resolve(ClusterStateFolder.NAME), request.folder()));
    }
  }

  /** Members use the port after the one where nodes join. */
  private static MembershipConfig config(
      ClusterStateFolder run,
      String version,
      InetSocketAddress address,
      @Nullable Identity identity) {
    int port = address.getPort() == 0 ? 0 : address.getPort() + 1;
    int cores = Runtime.getRuntime().availableProcessors();
    return new MembershipConfig(
        run.run(),
        new ClusterNode(NAME, version, cores, List.of(), List.of()),
        new InetSocketAddress(address.getAddress(), port),
        List.of(),
        identity,
        run.epoch(),
        JOIN_TIMEOUT);
  }

  private static Grant grant(
      ListenRequest request, ClusterStateFolder folder, Membership membership) {
    return new Grant(
        request.run(), folder.run(), membership.self().address(), membership.epoch(), "", "");
  }

  @Override
  public void await(int nodes) throws InterruptedException {
    var unused = await(nodes, FOREVER);
  }

  @Override
  public int await(int nodes, Duration limit) throws InterruptedException {
    return membership.await(nodes, limit);
  }

  @Override
  public void close() {
    listener.close();
    ClusterStateFolder.storeAddress(request.folder(), null, request.plain());
    membership.close();
  }
}
