package roll.cluster.inference;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.SessionMemory;
import roll.api.strategy.AsyncCalls;
import roll.api.strategy.EngineLoad;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.ReadableWeights;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.WeightsHandle;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.NodeLostException;
import roll.cluster.inference.weights.PublishedWeights;
import roll.cluster.inference.weights.WeightChannel;
import roll.cluster.inference.weights.WeightTransfer;
import roll.cluster.services.RemoteCalls;
import roll.cluster.transfer.TransferPeer;

/** A session on another node. Failures there, and its loss, fail the futures and name the node. */
public final class RemoteInferSession implements InferSession {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteInferSession.class);

  private final InferenceHost.Session session;
  private final InferenceHost.Session queries;
  private final InferenceHost host;
  private final long number;
  private final TransferPeer peer;
  private final WeightChannel channel;
  private final boolean owned;
  private final boolean narrow;
  private final boolean continuous;
  private final AtomicBoolean left = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Creates a session of {@code member}.
   *
   * @param channel of its weights, which it enters
   * @param owned whether the channel ends with it
   * @param dtype of its computation, in which weights are sent
   * @param continuous whether it batches continuously
   */
  RemoteInferSession(
      Membership membership,
      Member member,
      InferenceHost.Opened opened,
      WeightChannel channel,
      boolean owned,
      Dtype dtype,
      boolean continuous) {
    this.number = opened.session();
    this.session = InferenceHost.SESSIONS.of(membership, member, number, RemoteCalls.LONG);
    this.queries = InferenceHost.SESSIONS.of(membership, member, number, RemoteCalls.SHORT);
    this.host = InferenceHost.CONTRACT.of(membership, member, RemoteCalls.SHORT);
    this.peer = WeightTransfer.peer(member, opened.port());
    this.channel = channel;
    this.owned = owned;
    this.narrow = dtype == Dtype.BF16;
    this.continuous = continuous;
    channel.enter(peer);
  }

  @Override
  public boolean continuous() {
    return continuous;
  }

  /** Generates responses; canceling the future has the node cancel, too. */
  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    return AsyncCalls.then(
        session.generate(requests),
        written -> written.stream().map(ResponseMessage::response).toList());
  }

  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    return AsyncCalls.then(session.score(batch), RemoteInferSession::checked);
  }

  /** Returns {@code scores} if all of their columns have the same tokens. */
  static Scores checked(Scores scores) {
    int tokens = scores.logProbs().length;
    int squares = scores.sumPiSquared().length;
    if (scores.entropies().length != tokens || (squares != 0 && squares != tokens)) {
      throw new IllegalArgumentException("scores are not of the same tokens");
    }
    return scores;
  }

  /**
   * Updates the node to {@code weights}, which are copied before this returns and may change then;
   * {@link PublishedWeights} of its channel are a copy already. Completes when the node uses them
   * or newer ones.
   *
   * @throws IllegalArgumentException if they cannot be read
   */
  @Override
  public CompletableFuture<Void> update(WeightsHandle weights) {
    PublishedWeights published =
        switch (weights) {
          case PublishedWeights made -> made;
          case ReadableWeights readable -> channel.publish(readable, narrow);
          default -> throw new IllegalArgumentException("weights of a kind that stays: " + weights);
        };
    return session.update(channel.offer(published, peer));
  }

  @Override
  public CompletableFuture<EngineLoad> load() {
    return queries.load();
  }

  @Override
  public CompletableFuture<Void> sleep() {
    return session.sleep();
  }

  @Override
  public CompletableFuture<Void> wake() {
    return session.wake();
  }

  @Override
  public Map<String, Double> metrics() {
    return RemoteCalls.await(queries.metrics());
  }

  @Override
  public List<SessionMemory> peakMemory() {
    return RemoteCalls.await(queries.peakMemory());
  }

  /** Stops other nodes from pulling weights from the node; running calls continue. */
  public void leaveChannel() {
    if (left.compareAndSet(false, true)) {
      channel.leave(peer);
      if (owned) {
        channel.close();
      }
    }
  }

  /** Closes the session; a lost node has closed it already. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      leaveChannel();
      try {
        RemoteCalls.await(host.close(number));
      } catch (NodeLostException e) {
        LOG.debug("nothing to close", e);
      } catch (RuntimeException e) {
        LOG.warn("session {} was not closed", number, e);
      }
    }
  }
}
