package roll.parallel;

import org.jspecify.annotations.Nullable;
import roll.parallel.collective.RankFailure;
import roll.parallel.world.MicroBatchLoss;
import roll.torch.training.HeadOutputLoss;

/**
 * A loss that ranks of this and other processes evaluate, each on its own thread. Evaluations are
 * serialized in the order of the micro-batches, so that sums repeat bit for bit.
 */
final class OrderedLoss implements MicroBatchLoss {
  private final HeadOutputLoss loss;
  private final ShardedBatch work;
  private int next;
  private double seconds;
  private @Nullable Throwable failure;
  private @Nullable RuntimeException thrown;

  /** Creates the loss for the micro-batches of {@code work}. */
  OrderedLoss(HeadOutputLoss loss, ShardedBatch work) {
    this.loss = loss;
    this.work = work;
  }

  @Override
  public synchronized double @Nullable [][] evaluate(int number, int rank, double[][] columns) {
    int turn = number * work.parts().size() + rank;
    boolean interrupted = false;
    while (next != turn && failure == null) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw RankFailure.of(failure);
    }
    next++;
    notifyAll();
    return ask(work.samples(rank, number), columns);
  }

  private double @Nullable [][] ask(int @Nullable [] samples, double[][] columns) {
    if (samples == null) {
      return null;
    }
    long start = System.nanoTime();
    try {
      return loss.evaluate(samples, columns);
    } catch (RuntimeException e) {
      thrown = e;
      throw e;
    } finally {
      seconds += (System.nanoTime() - start) * 1e-9;
    }
  }

  /** Returns the exception that the loss has thrown for any rank, or {@code other} if none. */
  synchronized RuntimeException failure(RuntimeException other) {
    return thrown == null ? other : thrown;
  }

  @Override
  public synchronized void abort(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
    notifyAll();
  }

  /** Returns the seconds spent in the loss. */
  synchronized double seconds() {
    return seconds;
  }
}
