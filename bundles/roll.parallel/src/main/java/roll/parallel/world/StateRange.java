package roll.parallel.world;

import roll.torch.training.TrainState.Kind;

/**
 * Some neighboring numbers of a model, whose parameters lie one behind the other in the order of
 * its specification; the ranks have some of them each.
 *
 * @param kind of number
 * @param first of the model's numbers
 * @param count how many, at most {@link #MOST}
 */
public record StateRange(Kind kind, long first, long count) {
  /** Most numbers of a run, 16 MiB: as much memory may be needed beside what is moved. */
  public static final long MOST = 1 << 22;

  /** A run that is not too long. */
  public StateRange {
    if (first < 0 || count < 0 || count > MOST) {
      throw new IllegalArgumentException("%d numbers from %d on".formatted(count, first));
    }
  }
}
