package roll.testkit;

import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import roll.api.data.Layout;
import roll.api.data.RandomStreams;

/**
 * The jagged layout of a test batch, and the origin of its tokens in the layout that it was derived
 * from.
 *
 * @param offsets first token of each sample and, last, the number of tokens
 * @param turns turn of each token; −1 outside the mask
 * @param mask whether the policy wrote each token
 * @param source token of the original layout; −1 for a new token
 */
record TestLayout(int[] offsets, int[] turns, boolean[] mask, int[] source) {
  static final int SAMPLES = 8;

  /** Returns the random layout of the contracts' batches. */
  static TestLayout cells() {
    return random(stream("cells"), SAMPLES);
  }

  /** Returns a random stream for {@code purpose}. */
  static RandomGenerator stream(String purpose) {
    return RandomStreams.of(42, "roll.testkit/" + purpose);
  }

  /** Returns samples of one to three turns, each an observation and a response of 1 to 4 tokens. */
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

  /** Returns an original layout. */
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

  /** Returns the layout of the samples {@code chosen}, in that order. */
  TestLayout select(int... chosen) {
    int[] newOffsets = new int[chosen.length + 1];
    IntStream.Builder from = IntStream.builder();
    for (int i = 0; i < chosen.length; i++) {
      IntStream.range(offsets[chosen[i]], offsets[chosen[i] + 1]).forEach(from::add);
      newOffsets[i + 1] = newOffsets[i] + offsets[chosen[i] + 1] - offsets[chosen[i]];
    }
    return from(newOffsets, from.build().toArray());
  }

  /** Returns this layout with tokens outside the mask inserted at random positions. */
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

  /** Returns this layout with the mask of sample {@code i} cleared. */
  TestLayout withoutMask(int i) {
    boolean[] less = mask.clone();
    Arrays.fill(less, offsets[i], offsets[i + 1], false);
    return new TestLayout(offsets, turns, less, IntStream.range(0, size()).toArray());
  }

  /** Returns a column with values of {@code filler}. */
  double[] column(DoubleSupplier filler) {
    return IntStream.range(0, size()).mapToDouble(t -> filler.getAsDouble()).toArray();
  }

  /** Returns {@code column} of the original layout in this one; {@code filler} for new tokens. */
  double[] take(double[] column, DoubleSupplier filler) {
    return Arrays.stream(source)
        .mapToDouble(s -> s < 0 ? filler.getAsDouble() : column[s])
        .toArray();
  }

  /** Returns {@code column} of this layout with {@code filler} outside the mask. */
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
