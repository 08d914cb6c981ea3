package roll.api.env;

/**
 * Identifies an episode to start.
 *
 * @param purpose {@code train}, {@code val} or {@code greedy}
 * @param root the run's seed
 * @param seed of the episode, equal for all members of its group
 * @param position number of its group among all groups of its environment for this purpose, from 0;
 *     environments over a list of tasks use it as the index
 * @param groups number of groups of its environment per step
 * @param draw number of groups that were started at this position before and dropped
 */
public record EpisodeStart(
    String purpose, long root, long seed, long position, int groups, int draw) {
  /** An episode outside of a run. */
  public static EpisodeStart of(long seed) {
    return new EpisodeStart("train", seed, seed, seed & Long.MAX_VALUE, 1, 0);
  }
}
