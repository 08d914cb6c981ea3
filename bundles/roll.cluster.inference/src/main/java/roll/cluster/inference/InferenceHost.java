package roll.cluster.inference;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.memory.SessionMemory;
import roll.api.strategy.EngineLoad;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.cluster.inference.weights.WeightOffer;
import roll.cluster.services.RemoteContract;
import roll.cluster.services.ServiceKind;

/** A node with inference strategies, as the first node calls it. */
interface InferenceHost {
  /** Kind of services: the inference strategies that nodes offer. */
  ServiceKind<InferStrategy> STRATEGIES =
      new ServiceKind<>(InferStrategy.class, "roll.strategy", "inference");

  /** Remote contract of calls to a node with strategies. */
  RemoteContract<InferenceHost> CONTRACT = new RemoteContract<>("inference", InferenceHost.class);

  /** Remote contract of calls to sessions by their numbers. */
  RemoteContract<Session> SESSIONS = new RemoteContract<>("inference", Session.class);

  /**
   * An inference session of another node after it was opened.
   *
   * @param port where the node serves weights
   */
  record Opened(long session, int port) {}

  /** Opens a session on a strategy, with model folders like the offered ones. */
  CompletableFuture<Opened> open(
      long strategy, SessionConfig config, FolderOffer model, @Nullable FolderOffer adapter);

  /** Announces the newest version of a role's weights. */
  void newest(String role, long version);

  /** Closes an inference session on the called node. */
  CompletableFuture<Void> close(long session);

  /** A session of a node; methods are those of {@code InferSession} with the same names. */
  interface Session {
    /** Generates responses with the session of the called node. */
    CompletableFuture<List<ResponseMessage>> generate(List<GenerationRequest> requests);

    /** Scores a batch with the session of the called node. */
    CompletableFuture<Scores> score(TokenBatch batch);

    /** Pulls weights from another node and uses them. */
    CompletableFuture<Void> update(WeightOffer offer);

    /** Returns the load since the last call. */
    CompletableFuture<EngineLoad> load();

    /** Frees memory that can be filled again. */
    CompletableFuture<Void> sleep();

    /** Fills the memory that {@link #sleep} freed. */
    CompletableFuture<Void> wake();

    /** Returns the metrics since the last call. */
    CompletableFuture<Map<String, Double>> metrics();

    /** Returns the peak memory of each device since the last call. */
    CompletableFuture<List<SessionMemory>> peakMemory();
  }
}
