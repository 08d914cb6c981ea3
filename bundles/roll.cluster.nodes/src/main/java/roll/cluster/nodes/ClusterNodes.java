package roll.cluster.nodes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferencePolicy;
import roll.api.option.UserException;
import roll.cluster.ClusterEngine;
import roll.cluster.ClusterNode;
import roll.cluster.Membership;
import roll.cluster.MessageHandler;
import roll.cluster.NodeFacts;
import roll.runtime.nodes.FirstNode;
import roll.runtime.nodes.JoinRequest;
import roll.runtime.nodes.ListenRequest;
import roll.runtime.nodes.NodeStatus;
import roll.runtime.nodes.Nodes;

/** First nodes and joining nodes, over any {@link ClusterEngine}. */
@Component(name = "roll.cluster.nodes")
public final class ClusterNodes implements Nodes {
  private static final int MAX_HOST_CHARS = 40;

  private final ClusterEngine engine;
  private final String version;
  private final CurrentMembership current;

  @Reference(policy = ReferencePolicy.DYNAMIC)
  private volatile Collection<NodeFacts> facts = List.of();

  /** Creates nodes of the version of this bundle. */
  @Activate
  public ClusterNodes(@Reference ClusterEngine engine, BundleContext context) {
    this(engine, context.getBundle().getVersion().toString(), context);
  }

  ClusterNodes(ClusterEngine engine, String version) {
    this(engine, version, null);
  }

  private ClusterNodes(ClusterEngine engine, String version, @Nullable BundleContext context) {
    this.current = new CurrentMembership(context);
    this.engine = engine;
    this.version = version;
  }

  private Map<String, MessageHandler> handlers() {
    return NodeStatuses.handlers(() -> facts);
  }

  @Override
  public FirstNode listen(ListenRequest request, Consumer<String> console)
      throws InterruptedException {
    return ListeningNode.open(engine, version, current, handlers(), request, console);
  }

  @Override
  public String prepare(Path folder) {
    return JoinToken.create(ClusterStateFolder.authority(folder).certificate()).toString();
  }

  @Override
  public void join(JoinRequest request, Consumer<String> console) throws InterruptedException {
    InetSocketAddress first = HostPort.parse("join", request.at(), HostPort.DEFAULT_PORT);
    InetSocketAddress own =
        request.listen() == null
            ? new InetSocketAddress(HostPort.localAddressTo(first), 0)
            : HostPort.parseLocal("--listen", request.listen(), 0);
    String name = request.name() == null ? name() : request.name();
    ClusterNode node =
        new ClusterNode(name, version, request.cores(), request.devices(), request.roles());
    EnrolmentClient client = new EnrolmentClient(request.at(), version);
    new JoiningNode(engine, client, request, node, own, current, handlers(), console).run();
  }

  /** Returns the name of this machine with random digits for this process. */
  private static String name() {
    byte[] digits = new byte[2];
    new SecureRandom().nextBytes(digits);
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = ""; // a machine without a name
    }
    String valid =
        host.replaceAll("\\..*", "").replaceAll("[^A-Za-z0-9-]", "-").replaceAll("^-+", "");
    return (valid.isEmpty() ? "node" : valid.substring(0, Math.min(MAX_HOST_CHARS, valid.length())))
        + "-"
        + HexFormat.of().formatHex(digits);
  }

  @Override
  public List<NodeStatus> nodes() {
    Membership membership = current.get();
    return membership == null ? List.of() : NodeStatuses.of(membership);
  }

  @Override
  public List<NodeStatus> nodes(String at, String token) throws InterruptedException {
    JoinToken parsed = JoinToken.parse("nodes: --token", token);
    try {
      return new EnrolmentClient(at, version).nodes(parsed);
    } catch (IOException e) {
      throw new UserException("nodes: " + e.getMessage(), e);
    }
  }

  @Override
  public List<NodeStatus> nodes(Path output) throws InterruptedException {
    ClusterStateFolder.Address address = ClusterStateFolder.address(output);
    try {
      return new EnrolmentClient(address.text(), version).nodes(address.identity());
    } catch (IOException e) {
      throw new UserException("nodes: " + e.getMessage(), e);
    }
  }
}
