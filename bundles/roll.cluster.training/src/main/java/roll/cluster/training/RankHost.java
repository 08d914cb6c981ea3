package roll.cluster.training;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.api.image.Picture;
import roll.api.memory.DeviceMemory;
import roll.cluster.inference.codec.BatchMessage;
import roll.cluster.services.RemoteContract;
import roll.parallel.collective.RankGroup;
import roll.parallel.world.OptimizerStep;
import roll.parallel.world.ScoredTokens;
import roll.parallel.world.ShardedModelSpec;
import roll.parallel.world.StateRange;

/**
 * A node with ranks, as the one that decides the steps calls it. Commands have numbers, in whose
 * order they begin.
 */
interface RankHost {
  /** What is called. */
  RemoteContract<RankHost> CONTRACT = new RemoteContract<>("training", RankHost.class);

  /** Opens ranks; answered when they have met all others. */
  CompletableFuture<RankAnswer<Boolean>> open(
      RankKey key, String process, ShardedModelSpec order, RankGroup group);

  /** Brings some of the pictures of the command that has this number, and follows. */
  CompletableFuture<RankAnswer<Boolean>> show(RankKey key, long number, List<Picture> pictures);

  /** Adds up the gradients of a batch. */
  CompletableFuture<RankAnswer<Double>> accumulate(RankKey key, long number, BatchMessage batch);

  /** Makes a step. */
  CompletableFuture<RankAnswer<Boolean>> step(RankKey key, long number, OptimizerStep step);

  /** Scores a batch. */
  CompletableFuture<RankAnswer<ScoredTokens>> score(
      RankKey key, long number, BatchMessage batch, int count, boolean adapted);

  /** Has the ranks see what was written. */
  CompletableFuture<RankAnswer<Boolean>> publish(RankKey key, long number);

  /** Has the ranks send numbers of a parameter to rank 0. */
  CompletableFuture<RankAnswer<Boolean>> gather(RankKey key, long number, StateRange run);

  /** Has the ranks receive numbers of a parameter from rank 0. */
  CompletableFuture<RankAnswer<Boolean>> scatter(RankKey key, long number, StateRange run);

  /** Asks for memory held. */
  CompletableFuture<RankAnswer<List<DeviceMemory>>> held(RankKey key);

  /** Tells that ranks elsewhere have failed. */
  void abort(RankKey key, String why);

  /** Closes ranks. */
  CompletableFuture<RankAnswer<Boolean>> close(RankKey key);
}
