package roll.cluster.training;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import roll.cluster.services.RemoteCalls;
import roll.cluster.services.codec.RecordCodec;
import roll.parallel.collective.RankFailure;
import roll.parallel.world.MicroBatchLoss;

/** The loss of a step, which is on the node that decides. */
final class RemoteLoss implements MicroBatchLoss {
  private static final RecordCodec COLUMNS = RecordCodec.of(double[][].class);

  private final RankCalls owner;
  private final RankKey key;
  private final Map<Long, CompletableFuture<?>> asked = new ConcurrentHashMap<>();
  private final AtomicLong questions = new AtomicLong();
  private volatile @Nullable Throwable released;

  RemoteLoss(RankCalls owner, RankKey key) {
    this.owner = owner;
    this.key = key;
  }

  @Override
  public double @Nullable [][] evaluate(int number, int rank, double[][] columns) {
    owner.fits(COLUMNS, columns);
    CompletableFuture<double[][]> answer =
        owner.value(owner.owner(RankCalls.LONG).loss(key, number, rank, columns));
    long question = questions.incrementAndGet();
    asked.put(question, answer);
    try {
      Throwable cause = released;
      if (cause != null) {
        throw RankFailure.of(cause);
      }
      double[][] by = RemoteCalls.await(answer);
      return by.length == 0 ? null : by;
    } catch (RuntimeException | Error failure) {
      throw new RankFailure(failure); // what it is of, the node that decides knows
    } finally {
      asked.remove(question);
    }
  }

  /** Also tells the node that decides, whose ranks may wait. */
  @Override
  public void abort(Throwable cause) {
    owner.owner(RankCalls.LONG).failed(key, String.valueOf(cause.getMessage()));
    release(cause);
  }

  /** Releases who waits here. */
  void release(Throwable cause) {
    released = cause;
    asked.forEach((_, answer) -> answer.completeExceptionally(RankFailure.of(cause)));
  }
}
