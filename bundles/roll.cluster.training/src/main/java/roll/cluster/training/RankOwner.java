package roll.cluster.training;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.cluster.services.RemoteContract;

/** The node that decides the steps, as those with ranks call it. */
interface RankOwner {
  /** What is called. */
  RemoteContract<RankOwner> CONTRACT = new RemoteContract<>("training", RankOwner.class);

  /** Says where a rank is; answered with what all say that want to meet. */
  CompletableFuture<RankAnswer<List<byte[]>>> meet(
      RankKey key, String name, int size, int index, byte[] own);

  /** Asks for the loss of a micro-batch by its columns; no columns where there is no gradient. */
  CompletableFuture<RankAnswer<double[][]>> loss(
      RankKey key, int number, int rank, double[][] columns);

  /** Tells that a rank has failed, before all have ended. */
  void failed(RankKey key, String why);
}
