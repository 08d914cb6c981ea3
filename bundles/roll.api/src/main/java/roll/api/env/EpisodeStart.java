package roll.api.env;

/**
 * Which episode begins.
 *
 * @param purpose {@code train}, {@code val} or {@code greedy}
 * @param root the run's seed
 * @param seed of the episode, equal for all members of its group
 * @param position of its group among all groups of its environment that were or will be begun for
 *     the purpose, from 0: worlds that are made of a list go through it by this
 * @param groups of its environment that begin together, in one step
 * @param draw how many groups were begun in this place before, and dropped
 */
public record EpisodeStart(
    String purpose, long root, long seed, long position, int groups, int draw) {
  /** An episode of no run. */
  public static EpisodeStart of(long seed) {
    return new EpisodeStart("train", seed, seed, seed & Long.MAX_VALUE, 1, 0);
  }
}
