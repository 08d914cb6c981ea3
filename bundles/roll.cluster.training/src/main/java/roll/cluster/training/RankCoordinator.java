package roll.cluster.training;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.cluster.services.RemoteContract;

/** Calls to the coordinator, which is the first node, from nodes with ranks. */
interface RankCoordinator {
  /** Remote contract of calls to the coordinator. */
  RemoteContract<RankCoordinator> CONTRACT =
      new RemoteContract<>("training", RankCoordinator.class);

  /** Sends the address of a rank, and receives those of all members of the group. */
  CompletableFuture<RankAnswer<List<byte[]>>> exchange(
      RankKey key, String name, int size, int index, byte[] own);

  /** Evaluates the loss of a micro-batch; the result has no columns if there is no gradient. */
  CompletableFuture<RankAnswer<double[][]>> loss(
      RankKey key, int number, int rank, double[][] columns);

  /** Reports that a rank has failed while others are running. */
  void failed(RankKey key, String why);
}
