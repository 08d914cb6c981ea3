package roll.cluster.inference;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.launch.Framework;
import roll.api.strategy.InferStrategy;
import roll.cluster.ClusterNode;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.identity.Identity;
import roll.cluster.inference.pool.ClusterPlacement;
import roll.cluster.inference.weights.WeightChannel;
import roll.cluster.inference.weights.WeightTransfer;
import roll.cluster.pekko.PekkoEngine;
import roll.cluster.services.ImportedServices;

/** A framework with a node of a cluster in it. */
public final class TestNode implements AutoCloseable {
  /** Line that a node of its own process prints for each call to generate. */
  static final String BEGUN = "begun";

  /** Options of Java for a node of its own process. */
  public static final List<String> OPTIONS =
      List.of("-XX:+UseSerialGC", "--sun-misc-unsafe-memory-access=allow");

  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  final Framework framework;
  public final Membership membership;
  private final WeightTransfer weights;
  private final ModelFolders folders;
  private final InferenceServer server;

  /** The strategies of other nodes. */
  public final ImportedServices<InferStrategy, RemoteStrategy> strategies;

  private final ClusterPlacement placement;

  /**
   * A node on loopback, in the clear.
   *
   * @param first port of the first node; 0 to be it
   */
  public TestNode(Path folder, String name, int first) throws Exception {
    this(folder, name, LOOPBACK, first == 0 ? null : new InetSocketAddress(LOOPBACK, first), null);
  }

  /**
   * A node.
   *
   * @param at where it listens, at any port
   * @param first the first node; null to be it
   * @param identity for mutual TLS; null for bytes in the clear
   */
  TestNode(
      Path folder,
      String name,
      InetAddress at,
      @Nullable InetSocketAddress first,
      @Nullable Identity identity)
      throws Exception {
    framework =
        new org.apache.felix.framework.FrameworkFactory()
            .newFramework(Map.of("org.osgi.framework.storage", folder.resolve(name).toString()));
    framework.start();
    membership = new PekkoEngine().open(place(name, at, first, identity));
    weights = new WeightTransfer(membership);
    folders = new ModelFolders(membership, folder.resolve(name + "-models"));
    server = new InferenceServer(context(), membership, weights, folders);
    placement = new ClusterPlacement(context(), membership, weights, folders);
    strategies = placement.strategies();
  }

  private static MembershipConfig place(
      String name, InetAddress at, @Nullable InetSocketAddress first, @Nullable Identity identity) {
    return new MembershipConfig(
        "test",
        new ClusterNode(name, "0.2.0", 1, List.of("cpu:0"), List.of("actor_infer")),
        new InetSocketAddress(at, 0),
        first == null ? List.of() : List.of(first),
        identity,
        0,
        Duration.ofSeconds(30));
  }

  public BundleContext context() {
    return framework.getBundleContext();
  }

  ClusterPlacement placement() {
    return placement;
  }

  public ServiceRegistration<InferStrategy> offer(InferStrategy strategy) {
    return context()
        .registerService(
            InferStrategy.class,
            strategy,
            FrameworkUtil.asDictionary(Map.of("roll.strategy", new String[] {"seeded", "also"})));
  }

  /** A channel of its own for the weights of a role. */
  public WeightChannel channel() {
    return weights.channel("actor_infer");
  }

  /** Status of the node. */
  Map<String, String> facts() {
    return weights.facts();
  }

  /** Number of strategies of other nodes that are services here. */
  int imported() throws Exception {
    var found = context().getServiceReferences(InferStrategy.class, "(service.imported=*)");
    return found.size();
  }

  /** Waits for a strategy of another node and returns it. */
  InferStrategy remote() {
    await(() -> imported() == 1);
    return strategies.services().getFirst();
  }

  /** Waits until {@code holds}. */
  public static void await(Callable<Boolean> holds) {
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(holds);
  }

  /**
   * A node of its own process, which offers a slow strategy until it is killed: folder and port.
   */
  public static void main(String[] arguments) throws Exception {
    TestNode node = new TestNode(Path.of(arguments[0]), "far", Integer.parseInt(arguments[1]));
    SeededStrategy strategy = new SeededStrategy(500);
    strategy.beginning = () -> System.out.println(BEGUN);
    node.offer(strategy);
    var unused = node.membership.ended().get();
    System.exit(0);
  }

  @Override
  public void close() throws BundleException {
    placement.deactivate();
    server.deactivate();
    weights.close();
    folders.close();
    membership.close();
    framework.stop();
    try {
      framework.waitForStop(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
