package roll.cluster.pekko;

import com.typesafe.config.Config;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.io.TcpMessage;
import org.apache.pekko.remote.artery.tcp.SSLEngineProvider;
import org.apache.pekko.remote.artery.tcp.SSLEngineProviderSetup;
import roll.cluster.ClusterPlace;
import roll.cluster.identity.Identity;
import scala.Option;

/** Makes actor systems, and ends them. */
final class Systems {
  /** Longer than Pekko waits for the acknowledgement of its last messages, which is a second. */
  private static final long FLUSH_MILLIS = 1500;

  private Systems() {}

  /** A system that listens at its place; its name is that of the run, so others refuse it. */
  static ActorSystem create(ClusterPlace place, PekkoEngine.Wiring wiring) throws IOException {
    InetSocketAddress inside = MemberPort.free();
    MemberPort port = listen(place, wiring.at(place), inside);
    try {
      ActorSystem system = create(place, Settings.of(place, port.number(), inside, wiring.more()));
      system.registerOnTermination(port::close);
      return system;
    } catch (RuntimeException e) {
      port.close();
      throw new IOException("the cluster did not start: " + e.getMessage(), e);
    }
  }

  private static MemberPort listen(
      ClusterPlace place, InetSocketAddress at, InetSocketAddress inside) throws IOException {
    try {
      return MemberPort.open(at, inside, place.identity() != null, MemberPort.PATIENCE);
    } catch (IOException e) {
      throw new IOException(
          "%s:%d cannot be listened at: %s"
              .formatted(at.getAddress().getHostAddress(), at.getPort(), e.getMessage()),
          e);
    }
  }

  private static ActorSystem create(ClusterPlace place, Config settings) {
    ClassLoader loader = Systems.class.getClassLoader();
    ActorSystemSetup setup =
        ActorSystemSetup.create(BootstrapSetup.create(settings).withClassloader(loader));
    Identity identity = place.identity();
    if (identity != null) {
      setup = setup.withSetup(SSLEngineProviderSetup.create(_ -> new Engines(identity)));
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return ActorSystem.create(place.run(), setup);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /**
   * Ends a system; the result completes when it has ended.
   *
   * <p>When Pekko stops, its outbound control stream either fails with the transport or, where the
   * inbound one is faster, completes. The TLS under it ignores that it completes and waits for the
   * other node to close the connection, which has no reason to, and the system waits for the
   * stream. So connections that are left after the last flush are aborted.
   */
  static CompletableFuture<Terminated> terminate(ActorSystem system) {
    system.terminate();
    CompletableFuture<Terminated> ended = system.getWhenTerminated().toCompletableFuture();
    var unused =
        ended
            .copy()
            .orTimeout(FLUSH_MILLIS, TimeUnit.MILLISECONDS)
            .exceptionally(
                _ -> {
                  system
                      .actorSelection("/system/IO-TCP/selectors/*/*")
                      .tell(TcpMessage.abort(), ActorRef.noSender());
                  return null;
                });
    return ended;
  }

  /** Where a member of the same run would be. */
  static Address address(Cluster cluster, InetSocketAddress at) {
    Address self = cluster.selfAddress();
    return new Address(
        self.protocol(), self.system(), at.getAddress().getHostAddress(), at.getPort());
  }

  /** Engines of an identity: no files, no second set of rules. */
  private record Engines(Identity identity) implements SSLEngineProvider {
    @Override
    public SSLEngine createServerSSLEngine(String host, int port) {
      return identity.engine(false);
    }

    @Override
    public SSLEngine createClientSSLEngine(String host, int port) {
      return identity.engine(true);
    }

    @Override
    public Option<Throwable> verifyClientSession(String host, SSLSession session) {
      return Option.empty();
    }

    @Override
    public Option<Throwable> verifyServerSession(String host, SSLSession session) {
      return Option.empty();
    }
  }
}
