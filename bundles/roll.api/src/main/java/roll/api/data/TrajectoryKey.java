package roll.api.data;

/**
 * Identifies an episode of a run.
 *
 * @param tag name of the custom environment
 * @param group number of the group; members of a group share environment and start
 * @param episode number of the episode within the group
 * @param member number of the trajectory within its group
 * @param seed the episode's seed, equal for all members of the group
 */
public record TrajectoryKey(String tag, int group, int episode, int member, long seed) {
  /** Name of the trajectory's group: {@code tag_group_episode_seed}. */
  public String groupId() {
    return tag + "_" + group + "_" + episode + "_" + seed;
  }

  /** Name of the trajectory: its group's name and its member number. */
  public String id() {
    return groupId() + "_" + member;
  }
}
