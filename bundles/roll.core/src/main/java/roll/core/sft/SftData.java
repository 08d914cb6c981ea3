package roll.core.sft;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.RandomStreams;

/**
 * The demonstrations or preferences of supervised training, divided into the batches of its steps.
 * Which ones a step has is a function of its number, so that a resumed run continues as if it had
 * not stopped.
 */
final class SftData<T> {
  private final List<T> all;
  private final int size;
  private final boolean shuffle;
  private final boolean dropLast;
  private final long seed;
  private @Nullable Order order;

  /**
   * Batches of {@code all}, which is not empty.
   *
   * @param size rows of a step
   * @param shuffle whether each epoch has an order of its own
   * @param dropLast whether an epoch has only full steps; otherwise its last step may have fewer
   *     rows
   */
  SftData(List<T> all, int size, boolean shuffle, boolean dropLast, long seed) {
    this.all = all;
    this.size = size;
    this.shuffle = shuffle;
    this.dropLast = dropLast;
    this.seed = seed;
  }

  private record Order(int epoch, int[] rows) {}

  /** Number of steps of an epoch, which uses each row at most once. */
  int stepsOfAnEpoch() {
    return dropLast ? all.size() / size : Math.ceilDiv(all.size(), size);
  }

  /** Returns the rows of step {@code number}, from 0. */
  List<T> step(int number) {
    int[] rows = order(number / stepsOfAnEpoch());
    int from = number % stepsOfAnEpoch() * size;
    return IntStream.range(from, Math.min(all.size(), from + size))
        .mapToObj(i -> all.get(rows[i]))
        .toList();
  }

  private int[] order(int epoch) {
    Order known = order;
    if (known == null || known.epoch() != epoch) {
      known = new Order(epoch, rows(epoch));
      order = known;
    }
    return known.rows();
  }

  private int[] rows(int epoch) {
    int[] rows = IntStream.range(0, all.size()).toArray();
    RandomGenerator random = RandomStreams.of(seed, "sft", epoch);
    for (int i = rows.length - 1; shuffle && i > 0; i--) { // Fisher and Yates
      int j = random.nextInt(i + 1);
      int swap = rows[i];
      rows[i] = rows[j];
      rows[j] = swap;
    }
    return rows;
  }

  /**
   * Returns the demonstrations {@code chosen} as a batch whose learned tokens count as one turn.
   */
  static Batch batch(List<Demonstration> chosen) {
    int[] offsets = new int[chosen.size() + 1];
    for (int i = 0; i < chosen.size(); i++) {
      offsets[i + 1] = offsets[i] + chosen.get(i).tokens().length;
    }
    int[] tokens = new int[offsets[chosen.size()]];
    int[] turns = new int[tokens.length];
    for (int i = 0; i < chosen.size(); i++) {
      Demonstration one = chosen.get(i);
      System.arraycopy(one.tokens(), 0, tokens, offsets[i], one.tokens().length);
      for (int t = 0; t < one.tokens().length; t++) {
        // nothing precedes the first token that it could be learned from
        turns[offsets[i] + t] = t > 0 && one.trained()[t] ? 0 : -1;
      }
    }
    Batch batch =
        Batch.of(offsets, tokens, turns).withColumn(Batch.ADVANTAGES, new double[tokens.length]);
    return chosen.stream().allMatch(one -> one.pictures().isEmpty())
        ? batch
        : batch.withColumn(Batch.PICTURES, chosen.stream().map(Demonstration::pictures).toList());
  }
}
