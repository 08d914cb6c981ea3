package roll.grid;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;
import roll.api.data.RandomStreams;
import roll.api.env.EpisodeStart;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;

/**
 * Keeps levels of validation out of training: a digest of a level says which of the two plays it,
 * so that no level is ever played by both, whatever the seeds are.
 */
public final class LevelSplit {
  /** The share of all levels that validation has to itself. */
  public static final Option<Double> VAL_SHARE =
      Option.number(
              "val_share",
              0,
              0.9,
              "share of all possible levels that validation plays, and training never does; with 0"
                  + " both play any")
          .withDefault(0.0);

  private static final int TRIES = 10_000;
  private static final double DIGESTS = 1L << 32;

  private final double share;
  private final String where;

  /** As {@code options} say. */
  public LevelSplit(Options options) {
    share = options.get(VAL_SHARE);
    where = options.where();
  }

  /** Whether training and validation have levels of their own. */
  public boolean splits() {
    return share > 0;
  }

  /**
   * The level of an episode: that of its seed, or where that is the other purpose's, of the first
   * seed drawn after it whose level is not.
   *
   * @param level the level of a seed
   * @param looks what makes a level this one and no other
   * @throws UserException if 10,000 seeds have no level for the purpose
   */
  public <L> L draw(EpisodeStart start, LongFunction<L> level, Function<L, String> looks) {
    L first = level.apply(start.seed());
    if (!splits() || isFor(start.purpose(), looks.apply(first))) {
      return first;
    }
    RandomGenerator seeds = RandomStreams.of(start.seed(), "roll.grid/level_split");
    for (int i = 0; i < TRIES; i++) {
      L next = level.apply(seeds.nextLong());
      if (isFor(start.purpose(), looks.apply(next))) {
        return next;
      }
    }
    throw new UserException(
        "%s.%s: expected a share that leaves levels for %s, found %s, with which none of %d is one"
            .formatted(where, VAL_SHARE.name(), start.purpose(), share, TRIES));
  }

  private boolean isFor(String purpose, String look) {
    CRC32C digest = new CRC32C();
    digest.update(look.getBytes(StandardCharsets.UTF_8));
    return purpose.equals("val") == (digest.getValue() < share * DIGESTS);
  }
}
