package roll.cluster.inference.calls;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.api.memory.DeviceMemory;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.cluster.inference.codec.BatchMessage;
import roll.cluster.inference.folder.FolderOffer;
import roll.cluster.inference.weights.WeightOffer;
import roll.cluster.services.RemoteContract;
import roll.cluster.services.ServiceKind;

/**
 * A node that has strategies, as the one that uses them calls it. Strategies and sessions have
 * numbers there; methods on sessions are those of {@code InferSession} of these names. A call that
 * shows pictures has a number too, under which they come before it.
 */
public interface InferenceHost {
  /** The strategies that such a node offers. */
  ServiceKind<InferStrategy> STRATEGIES =
      new ServiceKind<>(InferStrategy.class, "roll.strategy", "inference");

  /** What is called. */
  RemoteContract<InferenceHost> CONTRACT = new RemoteContract<>("inference", InferenceHost.class);

  /**
   * A session that was opened.
   *
   * @param port where the node serves weights
   */
  record Opened(long session, int port) {}

  /** Opens a session on a strategy, with folders like those that are offered. */
  CompletableFuture<Opened> open(
      long strategy, SessionConfig config, FolderOffer model, @Nullable FolderOffer adapter);

  /** Brings pictures of a call that follows. */
  CompletableFuture<Void> show(long session, long call, List<Picture> pictures);

  /** Asks for responses. */
  CompletableFuture<List<ResponseMessage>> generate(
      long session, long call, RequestsMessage requests);

  /** What a call asks for is not wanted any more. */
  void cancel(long session, long call);

  /** Asks for scores. */
  CompletableFuture<Scores> score(long session, long call, BatchMessage batch);

  /** Has it use other weights. */
  CompletableFuture<Void> update(long session, WeightOffer offer);

  /** Has it free what can be had again. */
  CompletableFuture<Void> sleep(long session);

  /** Has it have that again. */
  CompletableFuture<Void> wake(long session);

  /** Asks for metrics. */
  CompletableFuture<Map<String, Double>> metrics(long session);

  /** Asks for memory held. */
  CompletableFuture<List<DeviceMemory>> held(long session);

  /** Closes it. */
  CompletableFuture<Void> close(long session);
}
