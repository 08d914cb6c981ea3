package roll.testkit;

import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import roll.api.data.Layout;

/**
 * The jagged layout of a batch, and where each of its cells came from when it was made out of
 * another layout.
 *
 * @param offsets first cell of each sample and, last, the number of cells
 * @param turns turn by cell, −1 where the policy did not write it
 * @param mask which cells the policy wrote
 * @param source cell of the layout this one was made of; −1 for a new cell
 */
record TestLayout(int[] offsets, int[] turns, boolean[] mask, int[] source) {
  /** Samples of one to three turns, each an observation and then a response of 1 to 4 tokens. */
  static TestLayout random(RandomGenerator random, int samples) {
    int[] offsets = new int[samples + 1];
    IntStream.Builder turns = IntStream.builder();
    for (int i = 0; i < samples; i++) {
      int count = 1 + random.nextInt(3);
      for (int turn = 0; turn < count; turn++) {
        int unwritten = 1 + random.nextInt(3);
        int written = 1 + random.nextInt(4);
        for (int t = 0; t < unwritten + written; t++) {
          turns.add(t < unwritten ? -1 : turn);
        }
        offsets[i + 1] += unwritten + written;
      }
      offsets[i + 1] += offsets[i];
    }
    return of(offsets, turns.build().toArray());
  }

  /** A layout that was not made of another. */
  static TestLayout of(int[] offsets, int[] turns) {
    boolean[] mask = new boolean[turns.length];
    for (int t = 0; t < turns.length; t++) {
      mask[t] = turns[t] >= 0;
    }
    return new TestLayout(offsets, turns, mask, IntStream.range(0, turns.length).toArray());
  }

  Layout layout() {
    return new Layout(offsets, turns, mask);
  }

  int size() {
    return turns.length;
  }

  int samples() {
    return offsets.length - 1;
  }

  /** The samples {@code chosen}, in that order. */
  TestLayout select(int... chosen) {
    int[] newOffsets = new int[chosen.length + 1];
    IntStream.Builder from = IntStream.builder();
    for (int i = 0; i < chosen.length; i++) {
      IntStream.range(offsets[chosen[i]], offsets[chosen[i] + 1]).forEach(from::add);
      newOffsets[i + 1] = newOffsets[i] + offsets[chosen[i] + 1] - offsets[chosen[i]];
    }
    return from(newOffsets, from.build().toArray());
  }

  /** This layout with unwritten cells put in at random places, before, within and after turns. */
  TestLayout withInsertions(RandomGenerator random) {
    int[] newOffsets = new int[offsets.length];
    IntStream.Builder from = IntStream.builder();
    for (int i = 0; i < samples(); i++) {
      newOffsets[i + 1] = newOffsets[i];
      for (int t = offsets[i]; t <= offsets[i + 1]; t++) {
        int added = Math.max(0, random.nextInt(4) - 1);
        for (int n = 0; n < added; n++) {
          from.add(-1);
        }
        newOffsets[i + 1] += added;
        if (t < offsets[i + 1]) {
          from.add(t);
          newOffsets[i + 1]++;
        }
      }
    }
    return from(newOffsets, from.build().toArray());
  }

  /** This layout with the cells of sample {@code i} taken for unwritten. */
  TestLayout withoutMask(int i) {
    boolean[] less = mask.clone();
    Arrays.fill(less, offsets[i], offsets[i + 1], false);
    return new TestLayout(offsets, turns, less, IntStream.range(0, size()).toArray());
  }

  /** A column of {@code filler} everywhere. */
  double[] column(DoubleSupplier filler) {
    return IntStream.range(0, size()).mapToDouble(t -> filler.getAsDouble()).toArray();
  }

  /** {@code column} of the layout this one was made of; {@code filler} in new cells. */
  double[] take(double[] column, DoubleSupplier filler) {
    return Arrays.stream(source)
        .mapToDouble(s -> s < 0 ? filler.getAsDouble() : column[s])
        .toArray();
  }

  /** {@code column} of this layout with every cell outside the mask {@code filler}. */
  double[] outsideMask(double[] column, DoubleSupplier filler) {
    return IntStream.range(0, size())
        .mapToDouble(t -> mask[t] ? column[t] : filler.getAsDouble())
        .toArray();
  }

  private TestLayout from(int[] newOffsets, int[] from) {
    int[] newTurns = Arrays.stream(from).map(s -> s < 0 ? -1 : turns[s]).toArray();
    boolean[] newMask = new boolean[from.length];
    for (int t = 0; t < from.length; t++) {
      newMask[t] = from[t] >= 0 && mask[from[t]];
    }
    return new TestLayout(newOffsets, newTurns, newMask, from);
  }
}
