package roll.cluster.training;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import roll.cluster.services.RemoteCalls;
import roll.cluster.services.codec.RecordCodec;
import roll.parallel.collective.RankFailure;
import roll.parallel.world.MicroBatchLoss;

/** Loss that the coordinator evaluates. */
final class RemoteLoss implements MicroBatchLoss {
  private static final RecordCodec COLUMNS = RecordCodec.of(double[][].class);

  private final RankCalls owner;
  private final RankKey key;
  private final Set<CompletableFuture<?>> open = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Throwable released;

  RemoteLoss(RankCalls owner, RankKey key) {
    this.owner = owner;
    this.key = key;
  }

  @Override
  public double @Nullable [][] evaluate(int number, int rank, double[][] columns) {
    owner.checkSize(COLUMNS, columns);
    CompletableFuture<double[][]> answer =
        owner.value(owner.coordinator(RankCalls.LONG).loss(key, number, rank, columns));
    open.add(answer);
    try {
      Throwable cause = released;
      if (cause != null) {
        throw RankFailure.of(cause);
      }
      double[][] by = RemoteCalls.await(answer);
      return by.length == 0 ? null : by;
    } catch (RuntimeException | Error failure) {
      throw new RankFailure(failure); // the coordinator knows its cause
    } finally {
      open.removeIf(each -> each == answer);
    }
  }

  /** Aborts the evaluation of the loss and informs the coordinator, whose ranks may wait. */
  @Override
  public void abort(Throwable cause) {
    owner.coordinator(RankCalls.LONG).failed(key, String.valueOf(cause.getMessage()));
    release(cause);
  }

  /** Fails the open evaluations of the loss on this node. */
  void release(Throwable cause) {
    released = cause;
    open.forEach(answer -> answer.completeExceptionally(RankFailure.of(cause)));
  }
}
