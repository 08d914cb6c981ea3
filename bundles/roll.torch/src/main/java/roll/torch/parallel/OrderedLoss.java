package roll.torch.parallel;

import org.jspecify.annotations.Nullable;
import roll.torch.collective.RankFailure;
import roll.torch.training.HeadLoss;

/**
 * A loss that several ranks ask, each on its own thread: it is evaluated in the order of the
 * micro-batches, whichever comes first, so that what it adds up repeats bit for bit.
 */
final class OrderedLoss {
  private final HeadLoss loss;
  private int next;
  private double seconds;
  private @Nullable Throwable failure;

  OrderedLoss(HeadLoss loss) {
    this.loss = loss;
  }

  /**
   * What {@code loss} says of micro-batch {@code number}, once all before it have been asked.
   *
   * @param samples null where the micro-batch has none; then nothing is asked
   */
  synchronized double @Nullable [][] evaluate(
      int number, int @Nullable [] samples, double[][] columns) {
    boolean interrupted = false;
    while (next != number && failure == null) {
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
      throw new RankFailure(failure);
    }
    next++;
    notifyAll();
    if (samples == null) {
      return null;
    }
    long start = System.nanoTime();
    double[][] by = loss.evaluate(samples, columns);
    seconds += (System.nanoTime() - start) * 1e-9;
    return by;
  }

  /** Releases whoever waits. */
  synchronized void abort(Throwable cause) {
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
