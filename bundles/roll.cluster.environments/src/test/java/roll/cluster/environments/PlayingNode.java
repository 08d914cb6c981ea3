package roll.cluster.environments;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.launch.Framework;
import roll.api.env.Environment;
import roll.cluster.ClusterNode;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.pekko.PekkoEngine;
import roll.testkit.EmptyDeployer;

/** A framework with a node of a cluster in it, in the clear on loopback. */
final class PlayingNode implements AutoCloseable {
  /** Line that a node of its own process prints for each observation. */
  static final String OBSERVED = "observed";

  private final Path folder;
  final Framework framework;
  final Membership membership;
  final EnvironmentNodes nodes;
  final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private final EnvironmentServer server;

  /** Starts the first node, which plays no role. */
  static PlayingNode first(Path folder) throws Exception {
    return new PlayingNode(folder, "first", 0, List.of());
  }

  /** Starts a second node, which plays {@code roles} and joins this one. */
  PlayingNode joined(List<String> roles) throws Exception {
    return new PlayingNode(folder, "second", membership.self().port(), roles);
  }

  /**
   * A node.
   *
   * @param first port of the first node; 0 to be it
   * @param roles that it plays
   */
  private PlayingNode(Path folder, String name, int first, List<String> roles) throws Exception {
    this.folder = folder;
    framework =
        new org.apache.felix.framework.FrameworkFactory()
            .newFramework(Map.of("org.osgi.framework.storage", folder.resolve(name).toString()));
    framework.start();
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    MembershipConfig place =
        new MembershipConfig(
            "test",
            new ClusterNode(name, "0.2.0", 1, List.of("cpu:0"), roles),
            new InetSocketAddress(loopback, 0),
            first == 0 ? List.of() : List.of(new InetSocketAddress(loopback, first)),
            null,
            0,
            Duration.ofSeconds(30));
    membership = new PekkoEngine().open(place);
    DeployedDigests digests = new DeployedDigests(new EmptyDeployer());
    server = new EnvironmentServer(context(), membership, digests, lines::add);
    nodes = new EnvironmentNodes(context(), membership, digests, lines::add);
  }

  BundleContext context() {
    return framework.getBundleContext();
  }

  /** Name and version of the bundle that has the environments of every node here. */
  String bundle() {
    return framework.getSymbolicName() + " " + framework.getVersion();
  }

  ServiceRegistration<Environment> offer(Environment environment) {
    return context()
        .registerService(
            Environment.class, environment, FrameworkUtil.asDictionary(Map.of("roll.env", "walk")));
  }

  /** Number of environments of other nodes that are services here. */
  int imported() throws Exception {
    return context().getServiceReferences(Environment.class, "(service.imported=*)").size();
  }

  /** Waits for an environment of another node and returns it. */
  Environment remote() throws Exception {
    await(() -> imported() == 1);
    return context()
        .getService(
            context()
                .getServiceReferences(Environment.class, "(service.imported=*)")
                .iterator()
                .next());
  }

  /** Waits until {@code holds}. */
  static void await(Callable<Boolean> holds) {
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(holds);
  }

  /** A node of its own process, which plays slowly until it is killed: folder and port. */
  public static void main(String[] arguments) throws Exception {
    PlayingNode node =
        new PlayingNode(
            Path.of(arguments[0]), "far", Integer.parseInt(arguments[1]), List.of("environment"));
    WalkEnvironment walk = new WalkEnvironment(100);
    walk.said =
        () -> {
          System.out.println(OBSERVED);
          return "";
        };
    node.offer(walk);
    var unused = node.membership.ended().get();
    System.exit(0);
  }

  @Override
  public void close() throws BundleException {
    nodes.deactivate();
    server.deactivate();
    membership.close();
    framework.stop();
    try {
      framework.waitForStop(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
