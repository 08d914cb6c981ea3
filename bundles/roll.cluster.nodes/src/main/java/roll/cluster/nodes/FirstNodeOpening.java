package roll.cluster.nodes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.cluster.ClusterEngine;
import roll.cluster.ClusterNode;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.identity.Fingerprint;
import roll.cluster.identity.Identity;
import roll.http.HttpLimits;
import roll.http.HttpListener;
import roll.http.HttpPlace;
import roll.runtime.nodes.FirstNode;
import roll.runtime.nodes.ListenRequest;

/**
 * Makes this process the first node of a run.
 *
 * @param version of roll
 * @param here has the membership while there is one
 * @param say receives a line on what happens
 */
record FirstNodeOpening(
    ClusterEngine engine,
    String version,
    PresentMembership here,
    ListenRequest order,
    Consumer<String> say) {
  /** The name of a first node, which no other one may have. */
  static final String NAME = "first";

  /** Where a first node finds a token that was made before. */
  private static final String TOKEN = "ROLL_TOKEN";

  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** Little, since nobody is known yet: 256 connections, 64 of one address, ten seconds, 64 KiB. */
  private static final HttpLimits LIMITS =
      new HttpLimits(256, 64, Duration.ofSeconds(10), 64 << 10, 4 << 20);

  /**
   * Listens, for members and for nodes that want to join.
   *
   * @throws UserException if it cannot
   * @throws InterruptedException if the thread was interrupted meanwhile; nothing is left open
   */
  FirstNode open() throws InterruptedException {
    InetSocketAddress at = ListenAddress.own("--listen", order.at(), ListenAddress.PORT);
    JoinToken given = order.token() == null ? null : JoinToken.read(TOKEN, order.token());
    RunKeeping keeping = RunKeeping.open(order.folder());
    if (given != null) {
      check(given, keeping);
    }
    @Nullable Identity identity = order.plain() ? null : keeping.authority().identity(NAME);
    ToldMembers told = new ToldMembers(say);
    FirstMembership membership = begin(keeping, at, identity, told);
    try {
      TokenBook tokens = new TokenBook(Clock.systemUTC());
      EnrolmentDesk desk =
          new EnrolmentDesk(
              identity == null ? null : keeping.authority(),
              tokens,
              version,
              Clock.systemUTC(),
              node -> membership.get().members().stream().anyMatch(m -> m.name().equals(node)),
              () -> grant(keeping, membership.get()),
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
      return new ListeningNode(listener, membership, told, line, this::end);
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
      RunKeeping keeping, InetSocketAddress at, @Nullable Identity identity, ToldMembers told)
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
  private void check(JoinToken token, RunKeeping keeping) {
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

  private void end() {
    RunKeeping.note(order.folder(), null, order.plain());
  }

  /** Members talk at the port after the one where nodes join. */
  private MembershipConfig firstPlace(
      RunKeeping keeping, InetSocketAddress at, @Nullable Identity identity) {
    int port = at.getPort() == 0 ? 0 : at.getPort() + 1;
    return new MembershipConfig(
        keeping.run(),
        new ClusterNode(
            NAME, version, Runtime.getRuntime().availableProcessors(), List.of(), List.of()),
        new InetSocketAddress(at.getAddress(), port),
        List.of(),
        identity,
        keeping.epoch(),
        LIMIT);
  }

  private Wording.Grant grant(RunKeeping keeping, Membership membership) {
    InetSocketAddress members =
        new InetSocketAddress(
            InetAddress.ofLiteral(membership.self().host()), membership.self().port());
    return new Wording.Grant(
        order.run(), keeping.run(), ListenAddress.text(members), membership.epoch(), "", "");
  }
}
