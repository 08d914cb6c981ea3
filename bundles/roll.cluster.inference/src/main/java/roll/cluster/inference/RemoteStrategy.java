package roll.cluster.inference;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.framework.BundleContext;
import roll.api.config.ModelConfig;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.inference.weights.WeightChannel;
import roll.cluster.inference.weights.WeightTransfer;
import roll.cluster.services.ImportedServices;
import roll.cluster.services.RemoteCalls;
import roll.cluster.services.ServiceOffer;
import roll.runtime.nodes.NodeRoles;

/**
 * A strategy of another node. Its options are checked by the strategy of that name here, or when a
 * session is opened there.
 */
public final class RemoteStrategy implements InferStrategy {
  private final Membership membership;
  private final Member member;
  private final ServiceOffer offer;
  private final WeightTransfer weights;
  private final ModelFolders folders;

  /** Creates a strategy that {@code member} offers. */
  private RemoteStrategy(
      Membership membership,
      Member member,
      ServiceOffer offer,
      WeightTransfer weights,
      ModelFolders folders) {
    this.membership = membership;
    this.member = member;
    this.offer = offer;
    this.weights = weights;
    this.folders = folders;
  }

  /**
   * Returns the object that registers the strategies of other nodes as services of the first node.
   */
  public static ImportedServices<InferStrategy, RemoteStrategy> imported(
      BundleContext context, Membership membership, WeightTransfer weights, ModelFolders folders) {
    return new ImportedServices<>(
        context,
        membership,
        InferenceHost.STRATEGIES,
        (member, offer) -> new RemoteStrategy(membership, member, offer, weights, folders));
  }

  /** Returns the node of the remote strategy. */
  public Member member() {
    return member;
  }

  /** Returns whether the node has {@code role}; a node without roles has all of them. */
  public boolean plays(String role) {
    List<String> roles = member.node().roles();
    return roles.isEmpty() || roles.contains(NodeRoles.of(role));
  }

  /** Returns whether {@code name} is one of the strategy's names. */
  public boolean named(String name) {
    return offer.names().contains(name);
  }

  /** Announces the newest version of the weights of {@code role}. */
  public void newest(String role, long version) {
    InferenceHost.CONTRACT.of(membership, member, RemoteCalls.SHORT).newest(role, version);
  }

  /** Returns whether the node still offers it; false if the node does not answer. */
  public CompletableFuture<Boolean> offered() {
    return InferenceHost.STRATEGIES
        .offered(membership, member)
        .thenApply(offers -> offers.contains(offer))
        .exceptionally(_ -> false);
  }

  /** Opens a session with a model folder like the one of this machine. */
  @Override
  public RemoteInferSession open(SessionConfig config) {
    WeightChannel channel = weights.channel(config.worker().role());
    return open(config, false, channel, true);
  }

  /**
   * Opens a session with weights that it shares with other sessions.
   *
   * @param continuous whether the session batches continuously
   * @param channel of the weights; it stays open
   */
  public RemoteInferSession open(SessionConfig config, boolean continuous, WeightChannel channel) {
    return open(config, continuous, channel, false);
  }

  private RemoteInferSession open(
      SessionConfig config, boolean continuous, WeightChannel channel, boolean owned) {
    ModelConfig model = config.worker().model();
    Path adapter = model.adapter();
    InferenceHost host = InferenceHost.CONTRACT.of(membership, member, RemoteCalls.LONG);
    InferenceHost.Opened opened =
        RemoteCalls.await(
            host.open(
                offer.number(),
                config,
                folders.offer(model.folder()),
                adapter == null ? null : folders.offer(adapter)));
    return new RemoteInferSession(
        membership, member, opened, channel, owned, model.dtype(), continuous);
  }
}
