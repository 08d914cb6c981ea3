package roll.cluster.inference.remote;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.image.Picture;
import roll.api.memory.DeviceMemory;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.ReadableWeights;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.Weights;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.NodeLostException;
import roll.cluster.inference.calls.InferenceHost;
import roll.cluster.inference.calls.RequestsMessage;
import roll.cluster.inference.calls.ResponseMessage;
import roll.cluster.inference.codec.BatchMessage;
import roll.cluster.inference.codec.CallPictures;
import roll.cluster.inference.weights.PublishedWeights;
import roll.cluster.inference.weights.WeightChannel;
import roll.cluster.services.RemoteCalls;

/**
 * A session on another node. What fails there, and a node that is lost, fails the future with an
 * exception that names the node.
 */
public final class RemoteInferSession implements InferSession {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteInferSession.class);

  private final InferenceHost host;
  private final InferenceHost soon;
  private final WeightChannel.Taker taker;
  private final long number;
  private final boolean narrow;
  private final boolean continuous;
  private final AtomicLong asked = new AtomicLong();
  private final AtomicBoolean left = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * The session {@code number} of a member.
   *
   * @param taker of the weights that it gets; closed at the end
   * @param dtype what it computes in; weights travel so
   * @param continuous whether it takes requests while others run
   */
  RemoteInferSession(
      Membership membership,
      Member member,
      long number,
      WeightChannel.Taker taker,
      Dtype dtype,
      boolean continuous) {
    this.host = InferenceHost.CONTRACT.of(membership, member, RemoteCalls.LONG);
    this.soon = InferenceHost.CONTRACT.of(membership, member, RemoteCalls.SHORT);
    this.number = number;
    this.taker = taker;
    this.narrow = dtype == Dtype.BF16;
    this.continuous = continuous;
  }

  @Override
  public boolean continuous() {
    return continuous;
  }

  /** Canceling the future has the node cancel too. */
  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    CallPictures pictures = CallPictures.of(requests);
    RequestsMessage message = RequestsMessage.of(requests, pictures);
    return ask(
        pictures,
        call ->
            host.generate(number, call, message)
                .thenApply(all -> all.stream().map(ResponseMessage::response).toList()));
  }

  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    CallPictures pictures = CallPictures.of(batch);
    BatchMessage message = BatchMessage.of(batch, pictures);
    return ask(
        pictures, call -> host.score(number, call, message).thenApply(BatchMessage::checked));
  }

  /** Brings the pictures, one message after the other, and then asks. */
  private <T> CompletableFuture<T> ask(
      CallPictures pictures, LongFunction<CompletableFuture<T>> question) {
    long call = asked.incrementAndGet();
    List<List<Picture>> parts;
    try {
      parts = pictures.parts();
    } catch (UserException e) {
      return CompletableFuture.failedFuture(e);
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    var unused =
        CallPictures.bring(parts, part -> host.show(number, call, part))
            .thenCompose(
                _ -> {
                  if (result.isCancelled()) {
                    throw new CancellationException("nobody waits for call " + call);
                  }
                  return question.apply(call);
                })
            .whenComplete(
                (value, failure) -> {
                  if (failure == null) {
                    result.complete(value);
                  } else {
                    result.completeExceptionally(failure);
                    drop(call, parts);
                  }
                });
    cancelWith(result, call);
    return result;
  }

  private void cancelWith(CompletableFuture<?> result, long call) {
    var unused =
        result.whenComplete(
            (_, _) -> {
              if (result.isCancelled()) {
                cancel(call);
              }
            });
  }

  /** Pictures that came and were not asked about need not stay there. */
  private void drop(long call, List<List<Picture>> parts) {
    if (!parts.isEmpty()) {
      cancel(call);
    }
  }

  private void cancel(long call) {
    host.cancel(number, call);
  }

  /**
   * Has the node pull {@code weights}, which are copied before this returns and may change then;
   * {@link PublishedWeights} of its channel are a copy already. Completes when the node uses them,
   * or newer ones of the channel.
   *
   * @throws IllegalArgumentException if they cannot be read
   */
  @Override
  public CompletableFuture<Void> update(Weights weights) {
    PublishedWeights published =
        switch (weights) {
          case PublishedWeights made -> made;
          case ReadableWeights readable -> taker.channel().publish(readable, narrow);
          default -> throw new IllegalArgumentException("weights of a kind that stays: " + weights);
        };
    return host.update(number, taker.channel().offer(published, taker.peer()));
  }

  @Override
  public CompletableFuture<Void> sleep() {
    return host.sleep(number);
  }

  @Override
  public CompletableFuture<Void> wake() {
    return host.wake(number);
  }

  @Override
  public Map<String, Double> metrics() {
    return RemoteCalls.await(soon.metrics(number));
  }

  @Override
  public List<DeviceMemory> peakMemory() {
    return RemoteCalls.await(soon.held(number));
  }

  /** Nobody is told any more to pull weights from its node; what it computes goes on. */
  public void leaveChannel() {
    if (left.compareAndSet(false, true)) {
      taker.close();
    }
  }

  /** Closes the session there; a node that is lost has closed it. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      leaveChannel();
      try {
        RemoteCalls.await(soon.close(number));
      } catch (NodeLostException e) {
        LOG.debug("nothing to close", e);
      } catch (RuntimeException e) {
        LOG.warn("session {} was not closed", number, e);
      }
    }
  }
}
