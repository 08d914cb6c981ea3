package roll.cluster.training;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.TokenBatch;
import roll.parallel.LocalRanks;

/** Ranks on this node that another node controls. Thread-safe. */
final class HostedRanks {
  private final RankCalls owner;
  private final RankKey key;
  private final LocalRanks ranks;
  private volatile @Nullable RemoteLoss loss;
  private boolean closed;

  /** Wraps ranks that the coordinator behind {@code owner} has opened. */
  HostedRanks(RankCalls owner, RankKey key, LocalRanks ranks) {
    this.owner = owner;
    this.key = key;
    this.ranks = ranks;
  }

  LocalRanks ranks() {
    return ranks;
  }

  CompletableFuture<Double> accumulate(TokenBatch batch) {
    RemoteLoss remote = new RemoteLoss(owner, key);
    loss = remote;
    return ranks.accumulate(batch, remote);
  }

  /** Releases the waiting ranks because other ranks have failed. */
  void abort(Throwable cause) {
    ranks.abort(cause);
    RemoteLoss remote = loss;
    if (remote != null) {
      remote.release(cause);
    }
  }

  /** Frees all resources; has no effect the second time. */
  void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    ranks.close();
  }
}
