package roll.cluster.pekko;

import com.typesafe.config.Config;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.remote.artery.tcp.SSLEngineProvider;
import org.apache.pekko.remote.artery.tcp.SSLEngineProviderSetup;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.cluster.ClusterEngine;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.MessageHandler;
import roll.cluster.identity.Identity;
import scala.Option;

/** Membership by Apache Pekko Cluster. */
@Component
public final class PekkoEngine implements ClusterEngine {
  private final @Nullable String bindHost;
  private final Map<String, Object> overrides;

  /** Creates an engine with the settings of {@code engine.conf}. */
  @Activate
  public PekkoEngine() {
    this(null, Map.of());
  }

  /**
   * Creates an engine for tests.
   *
   * @param bindHost address on which to listen instead of the configured one; null for that one
   * @param overrides settings of Pekko that precede all others
   */
  PekkoEngine(@Nullable String bindHost, Map<String, Object> overrides) {
    this.bindHost = bindHost;
    this.overrides = overrides;
  }

  @Override
  public Membership open(MembershipConfig config, Map<String, MessageHandler> handlers)
      throws IOException, InterruptedException {
    PekkoMembership membership = PekkoMembership.start(listen(config), config);
    try {
      handlers.forEach(membership::handle);
      membership.join();
      return membership;
    } catch (IOException | InterruptedException | RuntimeException e) {
      membership.close();
      throw e;
    }
  }

  /** Starts an actor system behind a {@link MemberPort}. */
  private ActorSystem listen(MembershipConfig config) throws IOException {
    InetSocketAddress internal = MemberPort.freeLoopbackAddress();
    MemberPort port = listen(config, internal);
    try {
      ActorSystem system =
          start(config, PekkoSettings.of(config, port.number(), internal, overrides));
      system.registerOnTermination(port::close);
      return system;
    } catch (RuntimeException e) {
      port.close();
      throw new IOException("the cluster did not start: " + e.getMessage(), e);
    }
  }

  private MemberPort listen(MembershipConfig config, InetSocketAddress internal)
      throws IOException {
    InetSocketAddress address =
        bindHost == null
            ? config.address()
            : new InetSocketAddress(InetAddress.ofLiteral(bindHost), config.address().getPort());
    try {
      return MemberPort.open(
          address, internal, config.identity() != null, MemberPort.GREETING_TIMEOUT);
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on %s:%d: %s"
              .formatted(address.getAddress().getHostAddress(), address.getPort(), e.getMessage()),
          e);
    }
  }

  /** Starts a system that has the name of the run, so that systems of other runs reject it. */
  private static ActorSystem start(MembershipConfig config, Config settings) {
    ClassLoader loader = PekkoEngine.class.getClassLoader();
    ActorSystemSetup setup =
        ActorSystemSetup.create(BootstrapSetup.create(settings).withClassloader(loader));
    Identity identity = config.identity();
    if (identity != null) {
      setup = setup.withSetup(SSLEngineProviderSetup.create(_ -> new TlsEngines(identity)));
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return ActorSystem.create(config.run(), setup);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** TLS engines of an identity, which needs no further verification. */
  private record TlsEngines(Identity identity) implements SSLEngineProvider {
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
