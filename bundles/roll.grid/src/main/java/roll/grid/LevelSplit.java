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
 * Splits levels between training and validation by a digest of the level, so that no level is
 * played by both.
 */
public final class LevelSplit {
  /** The share of levels that is reserved for validation. */
  public static final Option<Double> VAL_SHARE =
      Option.number(
              "val_share",
              0,
              0.9,
              "share of all possible levels reserved for validation; 0: no split")
          .withDefault(0.0);

  private static final int TRIES = 10_000;
  private static final double DIGESTS = 1L << 32;

  private final double share;
  private final String where;

  /** Creates a split from {@code options}. */
  public LevelSplit(Options options) {
    share = options.get(VAL_SHARE);
    where = options.where();
  }

  /** Returns whether training and validation have separate levels. */
  public boolean splits() {
    return share > 0;
  }

  /**
   * Returns the level of an episode: that of its seed, or, if that belongs to the other purpose,
   * that of the first derived seed with a suitable level.
   *
   * @param level returns the level of a seed
   * @param looks returns the identity of a level
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
