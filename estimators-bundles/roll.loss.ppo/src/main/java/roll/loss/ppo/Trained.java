package roll.loss.ppo;

import java.util.function.IntConsumer;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import roll.api.loss.LossInput;

/** Loops over the trained tokens of an input; masked cells are not even read. */
final class Trained {
  private Trained() {}

  static void each(LossInput in, IntConsumer action) {
    for (int t = 0; t < in.mask().length; t++) {
      if (in.mask()[t]) {
        action.accept(t);
      }
    }
  }

  /**
   * The sum of {@code term}, first within each sample and then over the samples, so that parts of
   * one sample each add up to the whole bit for bit.
   */
  static double sum(LossInput in, IntToDoubleFunction term) {
    double total = 0;
    for (int i = 0; i < in.samples(); i++) {
      double sample = 0;
      for (int t = in.offsets()[i]; t < in.offsets()[i + 1]; t++) {
        if (in.mask()[t]) {
          sample += term.applyAsDouble(t);
        }
      }
      total += sample;
    }
    return total;
  }

  static DoubleStream values(LossInput in, double[] column) {
    return IntStream.range(0, column.length).filter(t -> in.mask()[t]).mapToDouble(t -> column[t]);
  }

  /** Each trained token's mean of {@code column} over the trained tokens of its turn. */
  static double[] turnMeans(LossInput in, double[] column) {
    double[] means = new double[column.length];
    for (int i = 0; i < in.samples(); i++) {
      int from = in.offsets()[i];
      while (from < in.offsets()[i + 1]) {
        int to = turnEnd(in, from, in.offsets()[i + 1]);
        double sum = 0;
        int count = 0;
        for (int t = from; t < to; t++) {
          if (in.mask()[t]) {
            sum += column[t];
            count++;
          }
        }
        for (int t = from; t < to; t++) {
          means[t] = in.mask()[t] ? sum / count : 0;
        }
        from = to;
      }
    }
    return means;
  }

  /** The first cell after {@code from} that is trained in another turn than the first trained. */
  private static int turnEnd(LossInput in, int from, int end) {
    int turn = -1;
    for (int t = from; t < end; t++) {
      if (in.mask()[t]) {
        if (turn >= 0 && in.turns()[t] != turn) {
          return t;
        }
        turn = in.turns()[t];
      }
    }
    return end;
  }
}
