package roll.cluster.training;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.api.memory.SessionMemory;
import roll.api.strategy.TokenBatch;
import roll.cluster.services.RemoteContract;
import roll.parallel.collective.RankGroup;
import roll.parallel.world.OptimizerStep;
import roll.parallel.world.ScoredTokens;
import roll.parallel.world.ShardedModelSpec;
import roll.parallel.world.StateRange;

/** Calls of the coordinator to a node with ranks. Commands start in the order of their numbers. */
interface RankHost {
  /** Remote contract of calls to a node with ranks. */
  RemoteContract<RankHost> CONTRACT = new RemoteContract<>("training", RankHost.class);

  /** Opens ranks; completes when they are connected to all others. */
  CompletableFuture<RankAnswer<Boolean>> open(
      RankKey key, String process, ShardedModelSpec order, RankGroup group);

  /** Accumulates the gradients of a batch. */
  CompletableFuture<RankAnswer<Double>> accumulate(RankKey key, long number, TokenBatch batch);

  /** Runs an optimizer step with the ranks of the node. */
  CompletableFuture<RankAnswer<Boolean>> step(RankKey key, long number, OptimizerStep step);

  /** Scores a batch with the ranks of the node. */
  CompletableFuture<RankAnswer<ScoredTokens>> score(
      RankKey key, long number, TokenBatch batch, int count, boolean adapted);

  /** Publishes written parameters to the ranks of the node. */
  CompletableFuture<RankAnswer<Boolean>> publish(RankKey key, long number);

  /** Sends a range of a parameter to rank 0. */
  CompletableFuture<RankAnswer<Boolean>> gather(RankKey key, long number, StateRange run);

  /** Receives a range of a parameter from rank 0. */
  CompletableFuture<RankAnswer<Boolean>> scatter(RankKey key, long number, StateRange run);

  /** Returns the peak memory of each rank. */
  CompletableFuture<RankAnswer<List<SessionMemory>>> held(RankKey key);

  /** Reports that ranks of other nodes have failed. */
  void abort(RankKey key, String why);

  /** Closes the ranks of the node. */
  CompletableFuture<RankAnswer<Boolean>> close(RankKey key);
}
