package roll.cluster.training;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.TokenBatch;
import roll.torch.parallel.LocalRanks;
import roll.torch.parallel.shard.RankShares;

/** Ranks of this node, which another one tells what to do. Can be used by all threads. */
final class ServedRanks {
  private final RankCalls owner;
  private final RankKey key;
  private final LocalRanks ranks;
  private final RankShares shares;
  private volatile @Nullable RemoteLoss loss;
  private boolean closed;

  /**
   * Ranks of {@code owner}.
   *
   * @param shares what of the model they have
   */
  ServedRanks(RankCalls owner, RankKey key, LocalRanks ranks, RankShares shares) {
    this.owner = owner;
    this.key = key;
    this.ranks = ranks;
    this.shares = shares;
  }

  /** Who tells them what to do. */
  RankCalls owner() {
    return owner;
  }

  LocalRanks ranks() {
    return ranks;
  }

  CompletableFuture<Double> accumulate(TokenBatch batch) {
    RemoteLoss asked = new RemoteLoss(owner, key);
    loss = asked;
    return ranks.accumulate(batch, asked);
  }

  byte[] read(StateRun run) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocate(ValueLayout.JAVA_FLOAT, run.count());
      ranks.read(run.kind(), run.parameter(), run.first(), all);
      return run.pack(shares, all);
    }
  }

  void write(StateRun run, byte[] packed) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocate(ValueLayout.JAVA_FLOAT, run.count());
      run.unpack(shares, packed, all);
      ranks.write(run.kind(), run.parameter(), run.first(), all);
    }
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
