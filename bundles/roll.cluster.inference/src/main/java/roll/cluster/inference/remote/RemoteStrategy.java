package roll.cluster.inference.remote;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.cluster.Member;
import roll.cluster.inference.codec.SessionConfigCodec;
import roll.cluster.inference.codec.Topics;
import roll.cluster.inference.folder.FolderOffer;
import roll.cluster.inference.server.Transfers;
import roll.cluster.inference.weights.WeightChannel;
import roll.cluster.inference.weights.WeightTransfer;
import roll.cluster.services.RemoteCalls;
import roll.cluster.services.ServiceOffer;
import roll.cluster.services.codec.ByteWriter;
import roll.runtime.nodes.NodeRoles;

/**
 * A strategy of another node. What it accepts is checked by the strategy of that name here, or when
 * a session is opened there.
 */
public final class RemoteStrategy implements InferStrategy {
  private final RemoteCalls calls;
  private final ServiceOffer offer;
  private final Transfers transfers;

  /** What the member of {@code calls} offers. */
  RemoteStrategy(RemoteCalls calls, ServiceOffer offer, Transfers transfers) {
    this.calls = calls;
    this.offer = offer;
    this.transfers = transfers;
  }

  /** Whose it is. */
  public Member member() {
    return calls.member();
  }

  /** Whether the member offers to play {@code role}; one that names no role plays any. */
  public boolean plays(String role) {
    List<String> roles = member().node().roles();
    return roles.isEmpty() || roles.contains(NodeRoles.of(role));
  }

  /** Whether a configuration may call it {@code name}. */
  public boolean named(String name) {
    return offer.names().contains(name);
  }

  /** Tells the node that {@code version} of the weights of {@code role} is the newest. */
  public void newest(String role, long version) {
    byte[] message = new ByteWriter().text(role).int64(version).toBytes();
    calls.membership().send(member(), Topics.NEWEST, message);
  }

  /** Whether the node still offers it; false too where the node does not say. */
  public CompletableFuture<Boolean> offered() {
    return calls
        .ask(
            Topics.STRATEGIES,
            new ByteWriter(),
            RemoteCalls.SHORT,
            in -> in.list(ServiceOffer::read).contains(offer))
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
    ByteWriter message =
        new ByteWriter()
            .int64(offer.number())
            .of(config, SessionConfigCodec::write)
            .of(transfers.folders().offer(model.folder()), FolderOffer::write)
            .optional(
                adapter == null ? null : transfers.folders().offer(adapter), FolderOffer::write);
    return RemoteCalls.await(
        calls.ask(
            Topics.OPEN,
            message,
            RemoteCalls.LONG,
            in ->
                new RemoteInferSession(
                    calls,
                    in.int64(),
                    new WeightChannel.Taker(
                        WeightTransfer.peer(member(), in.int32()), channel, atEnd),
                    model.dtype(),
                    continuous)));
  }
}
