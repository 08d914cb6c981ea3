package roll.cluster.nodes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.cluster.ClusterEngine;
import roll.cluster.ClusterNode;
import roll.cluster.Membership;
import roll.cluster.identity.Authority;
import roll.cluster.identity.Fingerprint;
import roll.runtime.nodes.FirstNode;
import roll.runtime.nodes.JoinRequest;
import roll.runtime.nodes.ListenRequest;
import roll.runtime.nodes.NodeStatus;
import roll.runtime.nodes.Nodes;

/** First nodes and nodes that join, over whatever engine there is. */
@Component(name = "roll.cluster.nodes")
public final class ClusterNodes implements Nodes {
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
  public FirstNode listen(ListenRequest order, Consumer<String> say) throws InterruptedException {
    return new FirstNodeOpening(engine, version, here, order, say).open();
  }

  @Override
  public String prepare(Path folder) {
    Authority authority = RunKeeping.authority(folder);
    return new JoinToken(Fingerprint.of(authority.certificate()), TokenBook.fresh()).toString();
  }

  @Override
  public void join(JoinRequest order, Consumer<String> say) throws InterruptedException {
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
