package roll.parallel.world;

import roll.torch.training.TrainState.Kind;

/**
 * A range of a model's numbers, whose parameters are concatenated in the order of its specification
 * and sharded over the ranks.
 *
 * @param kind of the numbers
 * @param first first number of the range
 * @param count size of the range, at most {@link #MOST}
 */
public record StateRange(Kind kind, long first, long count) {
  /** Maximum size of a range, 16 MiB, which limits the memory of a transfer. */
  public static final long MOST = 1 << 22;

  /** Checks the size of the range. */
  public StateRange {
    if (first < 0 || count < 0 || count > MOST) {
      throw new IllegalArgumentException("%d numbers from %d on".formatted(count, first));
    }
  }
}
