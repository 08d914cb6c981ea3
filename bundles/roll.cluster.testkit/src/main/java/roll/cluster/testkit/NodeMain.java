package roll.cluster.testkit;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import roll.cluster.ClusterEngine;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.MessageHandler;
import roll.cluster.identity.Authority;
import roll.cluster.identity.AuthorityFile;

/**
 * Main class of a node in its own process. Arguments: class of the engine, file of the authority,
 * name, address to listen at, address of the first node or {@link #FIRST}. Prints {@code up} and
 * {@code ended <why>}, joins again after it was cut off, and answers {@code echo}, {@code never}
 * and {@code epoch}.
 */
public final class NodeMain {
  /** In place of an address: this is the first node. */
  static final String FIRST = "-";

  private NodeMain() {}

  /** Runs the node until its standard input ends. */
  public static void main(String[] args) throws Exception {
    ClusterEngine engine =
        Class.forName(args[0])
            .asSubclass(ClusterEngine.class)
            .getDeclaredConstructor()
            .newInstance();
    Authority authority = AuthorityFile.open(Path.of(args[1]), TestNodes.RUN);
    TestNodes nodes = new TestNodes(authority);
    MembershipConfig place =
        new MembershipConfig(
            TestNodes.RUN,
            nodes.node(args[2]),
            address(args[3]),
            args[4].equals(FIRST) ? List.of() : List.of(address(args[4])),
            nodes.identity(args[2]),
            0,
            Duration.ofSeconds(20));
    Thread.ofVirtual()
        .start(
            () -> {
              while (true) {
                stay(engine, place);
              }
            });
    while (System.in.read() >= 0) {
      // until the parent process ends
    }
    System.exit(0);
  }

  private static void stay(ClusterEngine engine, MembershipConfig place) {
    Map<String, MessageHandler> handlers =
        Map.of(
            "echo", (_, bytes) -> CompletableFuture.completedFuture(bytes),
            "never", (_, _) -> new CompletableFuture<>());
    try (Membership membership = engine.open(place, handlers)) {
      System.out.println("up " + membership.self().port());
      System.out.println("ended " + membership.ended().get().why());
    } catch (Exception e) {
      System.out.println("failed " + e.getMessage());
    }
  }

  private static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    return new InetSocketAddress(
        InetAddress.ofLiteral(text.substring(0, colon)),
        Integer.parseInt(text.substring(colon + 1)));
  }
}
