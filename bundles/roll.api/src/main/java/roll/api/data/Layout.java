package roll.api.data;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Layout of the tokens of a jagged batch, with reductions over it. Sample {@code i} has the
 * positions {@code offsets[i]} (inclusive) to {@code offsets[i + 1]} (exclusive); there is no
 * padding. Arrays are shared and must not be modified. Positions outside the mask are never read in
 * any column.
 *
 * @param offsets first position of each sample and, last, the number of positions
 * @param turns turn by position, −1 where the policy did not write the token
 * @param mask the policy tokens: tokens the policy wrote and is trained on
 */
public record Layout(int[] offsets, int[] turns, boolean[] mask) {
  /**
   * Checks the lengths.
   *
   * @throws IllegalArgumentException if they differ
   */
  public Layout {
    int size = offsets.length == 0 ? -1 : offsets[offsets.length - 1];
    if (turns.length != size || mask.length != size) {
      throw new IllegalArgumentException("offsets, turns and mask do not fit together");
    }
  }

  /** A layout in which the policy wrote every token that has a turn. */
  public static Layout of(int[] offsets, int[] turns) {
    boolean[] mask = new boolean[turns.length];
    for (int t = 0; t < turns.length; t++) {
      mask[t] = turns[t] >= 0;
    }
    return new Layout(offsets, turns, mask);
  }

  /**
   * Creates the layout of a batch given as one row per sample: adjacent policy tokens form a turn.
   *
   * @param mask nonzero if the policy wrote the token; rows may have different lengths
   */
  public static Layout ofRows(int[][] mask) {
    int[] offsets = new int[mask.length + 1];
    IntStream.Builder turns = IntStream.builder();
    for (int i = 0; i < mask.length; i++) {
      int turn = -1;
      for (int t = 0; t < mask[i].length; t++) {
        turn += mask[i][t] != 0 && (t == 0 || mask[i][t - 1] == 0) ? 1 : 0;
        turns.add(mask[i][t] != 0 ? turn : -1);
      }
      offsets[i + 1] = offsets[i] + mask[i].length;
    }
    return of(offsets, turns.build().toArray());
  }

  /** Concatenates one row per sample into the cells of a jagged column. */
  public static double[] cells(double[][] rows) {
    return Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
  }

  /** Number of samples of the layout. */
  public int samples() {
    return offsets.length - 1;
  }

  /** Number of positions of all samples. */
  public int size() {
    return turns.length;
  }

  /** The positions of the policy tokens of sample {@code i}, in order. */
  public int[] policyTokens(int i) {
    int[] found = new int[offsets[i + 1] - offsets[i]];
    int count = 0;
    for (int t = offsets[i]; t < offsets[i + 1]; t++) {
      if (mask[t]) {
        found[count++] = t;
      }
    }
    return count == found.length ? found : Arrays.copyOf(found, count);
  }

  /** The positions of the policy tokens of sample {@code i}, from the last to the first. */
  public int[] policyTokensBackwards(int i) {
    int[] tokens = policyTokens(i);
    int[] backwards = new int[tokens.length];
    Arrays.setAll(backwards, k -> tokens[tokens.length - 1 - k]);
    return backwards;
  }

  /** Number of policy tokens of each sample. */
  public int[] countBySample() {
    return IntStream.range(0, samples()).map(i -> policyTokens(i).length).toArray();
  }

  /** Sum of {@code column} over the policy tokens of each sample. */
  public double[] sumBySample(double[] column) {
    double[] sums = new double[samples()];
    for (int i = 0; i < sums.length; i++) {
      for (int t : policyTokens(i)) {
        sums[i] += column[t];
      }
    }
    return sums;
  }

  /** Mean of {@code column} over all policy tokens; 0 if there are none. */
  public double mean(double[] column) {
    double sum = 0;
    long count = 0;
    for (int t = 0; t < mask.length; t++) {
      if (mask[t]) {
        sum += column[t];
        count++;
      }
    }
    return count == 0 ? 0 : sum / count;
  }

  /**
   * A column with {@code value} of the position at each policy token and 0 at all other positions.
   */
  public double[] column(IntToDoubleFunction value) {
    double[] column = new double[mask.length];
    for (int t = 0; t < column.length; t++) {
      column[t] = mask[t] ? value.applyAsDouble(t) : 0;
    }
    return column;
  }

  /** A column with the value of each sample at its policy tokens and 0 at all other positions. */
  public double[] spread(double[] bySample) {
    double[] column = new double[mask.length];
    for (int i = 0; i < bySample.length; i++) {
      for (int t : policyTokens(i)) {
        column[t] = bySample[i];
      }
    }
    return column;
  }

  /**
   * The discounted sum of {@code column} from each policy token on, {@code G_t = x_t + discount ·
   * G_{t+1}}, where {@code t + 1} is the next policy token of the sample: environment tokens in
   * between are skipped without a discount. 0 at all other positions.
   */
  public double[] toGo(double[] column, double discount) {
    double[] toGo = new double[mask.length];
    for (int i = 0; i < samples(); i++) {
      double next = 0;
      for (int t : policyTokensBackwards(i)) {
        next = column[t] + discount * next;
        toGo[t] = next;
      }
    }
    return toGo;
  }

  /** Returns this layout with the tokens that are not {@code kept} removed from the mask. */
  public Layout keeping(boolean[] kept) {
    int[] fewer = turns.clone();
    boolean[] less = mask.clone();
    for (int t = 0; t < fewer.length; t++) {
      fewer[t] = kept[t] ? turns[t] : -1;
      less[t] &= kept[t];
    }
    return new Layout(offsets, fewer, less);
  }

  /** All positions of the samples {@code chosen}, one sample after the other. */
  public int[] positions(int[] chosen) {
    return Arrays.stream(chosen)
        .flatMap(i -> IntStream.range(offsets[i], offsets[i + 1]))
        .toArray();
  }

  /** Returns the layout of the samples {@code chosen}, in that order. */
  public Layout select(int[] chosen) {
    int[] starts = new int[chosen.length + 1];
    for (int i = 0; i < chosen.length; i++) {
      starts[i + 1] = starts[i] + offsets[chosen[i] + 1] - offsets[chosen[i]];
    }
    int[] from = positions(chosen);
    boolean[] less = new boolean[from.length];
    for (int t = 0; t < less.length; t++) {
      less[t] = mask[from[t]];
    }
    return new Layout(starts, Arrays.stream(from).map(t -> turns[t]).toArray(), less);
  }
}
