package roll.parallel;

import org.jspecify.annotations.Nullable;
import roll.parallel.collective.RankFailure;
import roll.parallel.world.MicroBatchLoss;
import roll.torch.training.HeadLoss;

/**
 * A loss that several ranks ask, each on its own thread: it is evaluated in the order of the
 * micro-batches, whichever comes first, so that what it adds up repeats bit for bit. Ranks of other
 * processes ask it too: no other has a loss.
 */
final class OrderedLoss implements MicroBatchLoss {
  private final HeadLoss loss;
  private final ShardedBatch work;
  private int next;
  private double seconds;
  private @Nullable Throwable failure;
  private @Nullable RuntimeException thrown;

  /** Of the micro-batches of {@code work}. */
  OrderedLoss(HeadLoss loss, ShardedBatch work) {
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

  /** What the loss itself has thrown, wherever it was asked from, or {@code other} if nothing. */
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

  /** Time spent in the loss. */
  synchronized double seconds() {
    return seconds;
  }
}
