package roll.cluster.inference.remote;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
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
import roll.cluster.NodeLostException;
import roll.cluster.inference.codec.CallPictures;
import roll.cluster.inference.codec.GenerationCodec;
import roll.cluster.inference.codec.MeasurementCodec;
import roll.cluster.inference.codec.ScoreCodec;
import roll.cluster.inference.codec.Topics;
import roll.cluster.inference.weights.PublishedWeights;
import roll.cluster.inference.weights.WeightChannel;
import roll.cluster.inference.weights.WeightOffer;
import roll.cluster.services.RemoteCalls;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;

/**
 * A session on another node. What fails there, and a node that is lost, fails the future with an
 * exception that names the node.
 */
public final class RemoteInferSession implements InferSession {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteInferSession.class);

  private final RemoteCalls calls;
  private final WeightChannel.Taker taker;
  private final long number;
  private final boolean narrow;
  private final boolean continuous;
  private final AtomicLong asked = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * The session {@code number} of a member.
   *
   * @param taker of the weights that it gets; closed at the end
   * @param dtype what it computes in; weights travel so
   * @param continuous whether it takes requests while others run
   */
  RemoteInferSession(
      RemoteCalls calls, long number, WeightChannel.Taker taker, Dtype dtype, boolean continuous) {
    this.calls = calls;
    this.number = number;
    this.taker = taker;
    this.narrow = dtype == Dtype.BF16;
    this.continuous = continuous;
  }

  private ByteWriter message() {
    return new ByteWriter().int64(number);
  }

  @Override
  public boolean continuous() {
    return continuous;
  }

  /** Canceling the future has the node cancel too. */
  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    CallPictures pictures = CallPictures.of(requests);
    return ask(
        Topics.GENERATE,
        pictures,
        message -> GenerationCodec.write(message, requests, pictures),
        in -> in.list(GenerationCodec::generation));
  }

  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    CallPictures pictures = CallPictures.of(batch);
    return ask(
        Topics.SCORE,
        pictures,
        message -> ScoreCodec.write(message, batch, pictures),
        ScoreCodec::scores);
  }

  /** Brings the pictures, one message after the other, and then asks. */
  private <T> CompletableFuture<T> ask(
      String topic,
      CallPictures pictures,
      Consumer<ByteWriter> what,
      Function<ByteReader, T> answer) {
    long call = asked.incrementAndGet();
    ByteWriter message = message().int64(call);
    what.accept(message);
    List<List<Picture>> parts;
    try {
      parts = pictures.parts();
    } catch (UserException e) {
      return CompletableFuture.failedFuture(e);
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    var unused =
        bring(call, parts)
            .thenCompose(
                _ -> {
                  if (result.isCancelled()) {
                    throw new CancellationException("nobody waits for call " + call);
                  }
                  return calls.ask(topic, message, RemoteCalls.LONG, answer);
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

  private CompletableFuture<Boolean> bring(long call, List<List<Picture>> parts) {
    if (parts.isEmpty()) {
      return CompletableFuture.completedFuture(true);
    }
    ByteWriter message = message().int64(call).of(parts.getFirst(), CallPictures::writePart);
    return calls
        .ask(Topics.PICTURES, message, RemoteCalls.LONG, _ -> true)
        .thenCompose(_ -> bring(call, parts.subList(1, parts.size())));
  }

  /** Pictures that came and were not asked about need not stay there. */
  private void drop(long call, List<List<Picture>> parts) {
    if (!parts.isEmpty()) {
      cancel(call);
    }
  }

  private void cancel(long call) {
    calls.membership().send(calls.member(), Topics.CANCEL, message().int64(call).toBytes());
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
    WeightOffer offer = taker.channel().offer(published, taker.peer());
    return calls
        .ask(Topics.UPDATE, message().of(offer, WeightOffer::write), RemoteCalls.LONG, _ -> true)
        .thenApply(_ -> null);
  }

  private CompletableFuture<Void> tell(String topic) {
    return calls.ask(topic, message(), RemoteCalls.LONG, _ -> true).thenApply(_ -> null);
  }

  @Override
  public CompletableFuture<Void> sleep() {
    return tell(Topics.SLEEP);
  }

  @Override
  public CompletableFuture<Void> wake() {
    return tell(Topics.WAKE);
  }

  @Override
  public Map<String, Double> metrics() {
    return RemoteCalls.await(
        calls.ask(Topics.METRICS, message(), RemoteCalls.SHORT, MeasurementCodec::metrics));
  }

  @Override
  public List<DeviceMemory> held() {
    return RemoteCalls.await(
        calls.ask(Topics.HELD, message(), RemoteCalls.SHORT, MeasurementCodec::devices));
  }

  /** Closes the session there; a node that is lost has closed it. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      taker.close();
      try {
        RemoteCalls.await(calls.ask(Topics.CLOSE, message(), RemoteCalls.SHORT, _ -> true));
      } catch (NodeLostException e) {
        LOG.debug("nothing to close", e);
      } catch (RuntimeException e) {
        LOG.warn("session {} was not closed", number, e);
      }
    }
  }
}
