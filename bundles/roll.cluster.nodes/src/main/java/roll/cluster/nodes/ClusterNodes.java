package roll.cluster.nodes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.cluster.ClusterEngine;
import roll.cluster.ClusterNode;
import roll.cluster.ClusterPlace;
import roll.cluster.Membership;
import roll.cluster.identity.Authority;
import roll.cluster.identity.Fingerprint;
import roll.cluster.identity.Identity;
import roll.http.HttpLimits;
import roll.http.HttpListener;
import roll.http.HttpPlace;
import roll.runtime.nodes.FirstNode;
import roll.runtime.nodes.JoinOrder;
import roll.runtime.nodes.ListenOrder;
import roll.runtime.nodes.NodeStatus;
import roll.runtime.nodes.Nodes;

/** First nodes and nodes that join, over whatever engine there is. */
@Component(name = "roll.cluster.nodes")
public final class ClusterNodes implements Nodes {
  /** The name of a first node, which no other one may have. */
  static final String FIRST = "first";

  /** Where a first node finds a token that was made before. */
  private static final String TOKEN = "ROLL_TOKEN";

  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** Little, since nobody is known yet: 256 connections, 64 of one address, ten seconds, 64 KiB. */
  private static final HttpLimits LIMITS =
      new HttpLimits(256, 64, Duration.ofSeconds(10), 64 << 10, 4 << 20);

  private final ClusterEngine engine;
  private final String version;
  private final PresentMembership here;

  /** Nodes of the version that this bundle has. */
  @Activate
  public ClusterNodes(@Reference ClusterEngine engine, BundleContext context) {
    this(engine, context.getBundle().getVersion().toString(), context);
  }

  ClusterNodes(ClusterEngine engine, String version) {
    this(engine, version, null);
  }

  private ClusterNodes(ClusterEngine engine, String version, @Nullable BundleContext context) {
    this.here = new PresentMembership(context);
    this.engine = engine;
    this.version = version;
  }

  @Override
  public FirstNode listen(ListenOrder order, Consumer<String> say) throws InterruptedException {
    InetSocketAddress at = ListenAddress.own("--listen", order.at(), ListenAddress.PORT);
    JoinToken given = order.token() == null ? null : JoinToken.read(TOKEN, order.token());
    RunKeeping keeping = RunKeeping.open(order.folder());
    if (given != null) {
      check(given, order, keeping);
    }
    @Nullable Identity identity = order.plain() ? null : keeping.authority().identity(FIRST);
    ToldMembers told = new ToldMembers(say);
    FirstMembership membership = begin(order, keeping, at, identity, told, say);
    try {
      TokenBook tokens = new TokenBook(Clock.systemUTC());
      EnrolmentDesk desk =
          new EnrolmentDesk(
              identity == null ? null : keeping.authority(),
              tokens,
              version,
              Clock.systemUTC(),
              node -> membership.get().members().stream().anyMatch(m -> m.name().equals(node)),
              () -> grant(order, keeping, membership.get()),
              () -> Pings.ask(membership.get()));
      told.arriving(desk::arrived);
      HttpPlace place =
          new HttpPlace(at.getAddress(), at.getPort(), List.of(at.getHostString()), null, LIMITS);
      HttpListener listener =
          identity == null
              ? HttpListener.start(place, desk)
              : HttpListener.start(place, identity.context(), desk);
      JoinToken token = given;
      if (token == null) {
        token =
            new JoinToken(
                identity == null ? null : Fingerprint.of(identity.authority()), tokens.issue());
      } else {
        tokens.accept(token.secret());
      }
      String line = "./roll join " + ListenAddress.text(listener.address()) + " --token " + token;
      RunKeeping.note(order.folder(), ListenAddress.text(listener.address()), order.plain());
      return new ListeningNode(listener, membership, told, line, () -> end(order));
    } catch (IOException e) {
      membership.close();
      throw new UserException(
          "--listen: " + ListenAddress.text(at) + " cannot be listened at: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      membership.close();
      throw e;
    }
  }

  /** Each membership has an epoch of its own; the first one that of {@code keeping}. */
  private FirstMembership begin(
      ListenOrder order,
      RunKeeping keeping,
      InetSocketAddress at,
      @Nullable Identity identity,
      ToldMembers told,
      Consumer<String> say)
      throws InterruptedException {
    AtomicReference<@Nullable RunKeeping> next = new AtomicReference<>(keeping);
    try {
      return FirstMembership.open(
          () -> {
            RunKeeping begun = next.getAndSet(null);
            return engine.open(
                firstPlace(begun == null ? RunKeeping.open(order.folder()) : begun, at, identity),
                Pings.handlers());
          },
          new FirstMembership.Follower() {
            @Override
            public void begun(Membership membership) {
              here.set(membership, order.plain(), say::accept);
              told.follow(membership);
            }

            @Override
            public void over(Membership membership) {
              told.end();
              here.end(membership);
            }
          },
          say);
    } catch (IOException e) {
      throw new UserException("--listen: " + e.getMessage(), e);
    }
  }

  /** A token that was made before must be of the authority that is there. */
  private static void check(JoinToken token, ListenOrder order, RunKeeping keeping) {
    byte[] fingerprint = token.fingerprint();
    if (order.plain() != (fingerprint == null)) {
      throw new UserException(
          order.plain()
              ? TOKEN + ": a token for TLS does not go with --plain"
              : TOKEN + ": a token without TLS needs --plain");
    }
    byte[] own = Fingerprint.of(keeping.authority().certificate());
    if (fingerprint != null && !MessageDigest.isEqual(fingerprint, own)) {
      throw new UserException(
          TOKEN
              + ": is not of the authority in "
              + order.folder().resolve(RunKeeping.FOLDER)
              + "; `roll token "
              + order.folder()
              + "` prints one that is");
    }
  }

  @Override
  public String prepare(Path folder) {
    Authority authority = RunKeeping.authority(folder);
    return new JoinToken(Fingerprint.of(authority.certificate()), TokenBook.fresh()).toString();
  }

  private static void end(ListenOrder order) {
    RunKeeping.note(order.folder(), null, order.plain());
  }

  /** Members talk at the port after the one where nodes join. */
  private ClusterPlace firstPlace(
      RunKeeping keeping, InetSocketAddress at, @Nullable Identity identity) {
    int port = at.getPort() == 0 ? 0 : at.getPort() + 1;
    return new ClusterPlace(
        keeping.run(),
        node(FIRST, Runtime.getRuntime().availableProcessors(), List.of(), List.of()),
        new InetSocketAddress(at.getAddress(), port),
        List.of(),
        identity,
        keeping.epoch(),
        LIMIT);
  }

  private static Wording.Grant grant(ListenOrder order, RunKeeping keeping, Membership membership) {
    InetSocketAddress members =
        new InetSocketAddress(
            InetAddress.ofLiteral(membership.self().host()), membership.self().port());
    return new Wording.Grant(
        order.run(), keeping.run(), ListenAddress.text(members), membership.epoch(), "", "");
  }

  @Override
  public void join(JoinOrder order, Consumer<String> say) throws InterruptedException {
    InetSocketAddress first = ListenAddress.read("join", order.at(), ListenAddress.PORT);
    InetSocketAddress own =
        order.listen() == null
            ? new InetSocketAddress(ListenAddress.towards(first), 0)
            : ListenAddress.own("--listen", order.listen(), 0);
    String name = order.name() == null ? name() : order.name();
    new JoinedNode(
            engine,
            new EnrolmentClient(order.at(), version),
            order,
            node(name, order.cores(), order.devices(), order.roles()),
            own,
            here,
            say)
        .serve();
  }

  private ClusterNode node(String name, int cores, List<String> devices, List<String> roles) {
    return new ClusterNode(name, version, cores, devices, roles);
  }

  /** This machine's, and something that no second process on it has. */
  private static String name() {
    byte[] more = new byte[2];
    new SecureRandom().nextBytes(more);
    String host = "node";
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      // a machine without a name
    }
    String plain = host.replaceAll("\\..*", "").replaceAll("[^A-Za-z0-9-]", "-");
    String begin = plain.replaceAll("^-+", "");
    return (begin.isEmpty() ? "node" : begin.substring(0, Math.min(40, begin.length())))
        + "-"
        + HexFormat.of().formatHex(more);
  }

  @Override
  public List<NodeStatus> nodes() {
    Membership membership = here.get();
    return membership == null ? List.of() : Pings.ask(membership);
  }

  @Override
  public List<NodeStatus> nodes(String at, String token) throws InterruptedException {
    JoinToken secret = JoinToken.read("nodes: --token", token);
    try {
      return new EnrolmentClient(at, version).nodes(secret);
    } catch (IOException e) {
      throw new UserException("nodes: " + e.getMessage(), e);
    }
  }

  @Override
  public List<NodeStatus> nodes(Path output) throws InterruptedException {
    RunKeeping.Address run = RunKeeping.address(output);
    try {
      return new EnrolmentClient(run.at(), version).nodes(run.identity());
    } catch (IOException e) {
      throw new UserException("nodes: " + e.getMessage(), e);
    }
  }
}
