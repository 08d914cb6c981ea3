package roll.cluster.inference.remote;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.inference.calls.InferenceHost;
import roll.cluster.inference.calls.WeightNews;
import roll.cluster.inference.server.Transfers;
import roll.cluster.inference.weights.WeightChannel;
import roll.cluster.inference.weights.WeightTransfer;
import roll.cluster.services.RemoteCalls;
import roll.cluster.services.ServiceOffer;
import roll.runtime.nodes.NodeRoles;

/**
 * A strategy of another node. What it accepts is checked by the strategy of that name here, or when
 * a session is opened there.
 */
public final class RemoteStrategy implements InferStrategy {
  private final Membership membership;
  private final Member member;
  private final ServiceOffer offer;
  private final Transfers transfers;

  /** What {@code member} offers. */
  RemoteStrategy(Membership membership, Member member, ServiceOffer offer, Transfers transfers) {
    this.membership = membership;
    this.member = member;
    this.offer = offer;
    this.transfers = transfers;
  }

  /** Whose it is. */
  public Member member() {
    return member;
  }

  /** Whether the member offers to play {@code role}; one that names no role plays any. */
  public boolean plays(String role) {
    List<String> roles = member.node().roles();
    return roles.isEmpty() || roles.contains(NodeRoles.of(role));
  }

  /** Whether a configuration may call it {@code name}. */
  public boolean named(String name) {
    return offer.names().contains(name);
  }

  /** Tells the node that {@code version} of the weights of {@code role} is the newest. */
  public void newest(String role, long version) {
    WeightNews.CONTRACT.of(membership, member, RemoteCalls.SHORT).newest(role, version);
  }

  /** Whether the node still offers it; false too where the node does not say. */
  public CompletableFuture<Boolean> offered() {
    return InferenceHost.STRATEGIES
        .offered(membership, member)
        .thenApply(offers -> offers.contains(offer))
        .exceptionally(_ -> false);
  }

  /** Opens a session with a model folder like that of this machine. */
  @Override
  public RemoteInferSession open(SessionConfig config) {
    WeightChannel channel = transfers.weights().channel(config.worker().role());
    return open(config, false, channel, channel::close);
  }

  /**
   * The same, with weights that other sessions get too.
   *
   * @param continuous what the strategy of that name says of such sessions
   * @param channel of the weights; it stays open
   */
  public RemoteInferSession open(SessionConfig config, boolean continuous, WeightChannel channel) {
    return open(config, continuous, channel, () -> {});
  }

  private RemoteInferSession open(
      SessionConfig config, boolean continuous, WeightChannel channel, Runnable atEnd) {
    WorkerConfig worker = config.worker();
    ModelConfig model = worker.model();
    Path adapter = model.adapter();
    InferenceHost host = InferenceHost.CONTRACT.of(membership, member, RemoteCalls.LONG);
    InferenceHost.Opened opened =
        RemoteCalls.await(
            host.open(
                offer.number(),
                config,
                transfers.folders().offer(model.folder()),
                adapter == null ? null : transfers.folders().offer(adapter)));
    return new RemoteInferSession(
        membership,
        member,
        opened.session(),
        new WeightChannel.Taker(WeightTransfer.peer(member, opened.port()), channel, atEnd),
        model.dtype(),
        continuous);
  }
}
