package roll.cluster.training;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.Rendezvous;

/**
 * Meets through the node that decides.
 *
 * @param owner that node
 * @param key of the ranks
 */
record RemoteRendezvous(RankCalls owner, RankKey key) implements Rendezvous {
  @Override
  public List<byte[]> exchange(String name, int size, int index, byte[] own, Duration limit) {
    CompletableFuture<List<byte[]>> all =
        owner.value(owner.owner(limit).meet(key, name, size, index, own));
    try {
      return all.get();
    } catch (ExecutionException e) {
      throw RankFailure.of(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RankFailure(name + ": interrupted", e);
    }
  }
}
