package roll.torch.parallel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.torch.collective.Communicator;
import roll.torch.collective.RankFailure;
import roll.torch.training.HeadLoss;

/**
 * A loss that several ranks ask, each on its own thread: it is evaluated in the order of the
 * micro-batches, whichever comes first, so that what it adds up repeats bit for bit.
 *
 * <p>Ranks of one process wait for each other. Where some are in other processes, each process that
 * has a rank with the head hears what all heads say and evaluates its own copy of the loss for all
 * micro-batches in that same order: all copies add up the same numbers, bit for bit those that one
 * process would, and the loss need not know how its shares are added.
 */
final class OrderedLoss {
  private final HeadLoss loss;
  private final boolean alone;
  private int next;
  private List<double @Nullable [][]> round = List.of();
  private double seconds;
  private @Nullable Throwable failure;

  /**
   * Of {@code loss}.
   *
   * @param alone whether all ranks are in this process
   */
  OrderedLoss(HeadLoss loss, boolean alone) {
    this.loss = loss;
    this.alone = alone;
  }

  /**
   * What {@code loss} says of micro-batch {@code number} of a rank, once all before it have been
   * asked; null where the rank has no samples in it: then nothing is asked.
   *
   * @param columns what the rank's head says of it
   * @param ranks the data-parallel ranks
   */
  double @Nullable [][] evaluate(
      ShardedBatch work, int number, double[][] columns, Communicator ranks) {
    return alone
        ? inTurn(number * ranks.size() + ranks.rank(), work.samples(ranks.rank(), number), columns)
        : ofAll(number, ranks.rank(), GatheredColumns.of(work, number, columns, ranks));
  }

  private synchronized double @Nullable [][] inTurn(
      int turn, int @Nullable [] samples, double[][] columns) {
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
    return ask(samples, columns);
  }

  /** The first rank of this process that comes asks for all; nobody is a round ahead of another. */
  private synchronized double @Nullable [][] ofAll(int number, int rank, GatheredColumns said) {
    if (number == next) {
      List<double @Nullable [][]> answers = new ArrayList<>();
      for (int r = 0; r < said.columns().size(); r++) {
        answers.add(ask(said.samples().get(r), said.columns().get(r)));
      }
      round = answers;
      next++;
    }
    return round.get(rank);
  }

  private double @Nullable [][] ask(int @Nullable [] samples, double[][] columns) {
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
