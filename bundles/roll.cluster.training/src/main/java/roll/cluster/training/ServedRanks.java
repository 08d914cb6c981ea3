package roll.cluster.training;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.TokenBatch;
import roll.parallel.LocalRanks;

/** Ranks of this node, which another one tells what to do. Can be used by all threads. */
final class ServedRanks {
  private final RankCalls owner;
  private final RankKey key;
  private final LocalRanks ranks;
  private volatile @Nullable RemoteLoss loss;
  private boolean closed;

  /** Ranks of {@code owner}. */
  ServedRanks(RankCalls owner, RankKey key, LocalRanks ranks) {
    this.owner = owner;
    this.key = key;
    this.ranks = ranks;
  }

  LocalRanks ranks() {
    return ranks;
  }

  CompletableFuture<Double> accumulate(TokenBatch batch) {
    RemoteLoss asked = new RemoteLoss(owner, key);
    loss = asked;
    return ranks.accumulate(batch, asked);
  }

  /** Releases the ranks, because others have failed. */
  void abort(Throwable cause) {
    ranks.abort(cause);
    RemoteLoss asked = loss;
    if (asked != null) {
      asked.release(cause);
    }
  }

  /** Frees everything; once. */
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
