package roll.rollout.supervise;

import java.util.Comparator;
import roll.api.data.RandomStreams;
import roll.api.data.TrajectoryKey;
import roll.api.env.EpisodeStart;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.pipeline.RolloutRequest;

/**
 * The slot of one episode in a rollout; slots are ordered by group, episode, draw and member.
 *
 * @param tag name of the custom environment
 * @param group number of the group
 * @param episode number of the episode within the group's life
 * @param draw number of earlier groups in this slot
 * @param member number within the group
 * @param seed of the episode, equal for all members
 */
public record EpisodeSlot(String tag, int group, int episode, int draw, int member, long seed)
    implements Comparable<EpisodeSlot> {
  private static final Comparator<EpisodeSlot> ORDER =
      Comparator.comparingInt(EpisodeSlot::group)
          .thenComparingInt(EpisodeSlot::episode)
          .thenComparingInt(EpisodeSlot::draw)
          .thenComparingInt(EpisodeSlot::member);

  @Override
  public int compareTo(EpisodeSlot other) {
    return ORDER.compare(this, other);
  }

  /**
   * Returns the seed of an episode, from 0 to 2³¹ − 1 as in ROLL. Training has even seeds and
   * everything else odd ones, so no level is both trained and validated on.
   */
  public static long seed(long root, String purpose, int group, int episode, int draw) {
    long first = RandomStreams.seed(root, purpose + "-episode", group, episode);
    long drawn = (draw == 0 ? first : RandomStreams.seed(first, "draw", draw)) >>> 33;
    return purpose.equals("train") ? drawn & ~1L : drawn | 1L;
  }

  /** Returns the key of the episode's trajectory. */
  public TrajectoryKey key() {
    return new TrajectoryKey(tag, group, episode, member, seed);
  }

  /** Returns the parameters that start the episode of this slot. */
  public EpisodeStart start(RolloutRequest request) {
    return start(request.purpose(), request.seed(), request.envs().manager());
  }

  /**
   * Returns the parameters that start the episode of this slot in a rollout for {@code purpose}.
   *
   * @param root the run's seed
   * @param envs number of groups per tag
   */
  public EpisodeStart start(String purpose, long root, EnvManagerConfig envs) {
    int first = 0;
    int groups = envs.groups();
    for (int i = 0; i < envs.tags().size(); i++) {
      int ofTag = envs.groupsByTag().get(i);
      if (envs.tags().get(i).equals(tag) && group >= first && group < first + ofTag) {
        groups = ofTag;
        break;
      }
      first += ofTag;
    }
    int index = Math.floorMod(group - first, groups);
    long position = (long) episode * groups + index;
    return new EpisodeStart(purpose, root, seed, position, groups, draw);
  }

  /** Returns the slot of the episode's group, independent of the draw. */
  public GroupSlot groupSlot() {
    return new GroupSlot(group, episode);
  }

  /**
   * The slot of a group in a rollout.
   *
   * @param group its number
   * @param episode number of the episode within the group's life
   */
  public record GroupSlot(int group, int episode) {}

  @Override
  public String toString() {
    return "episode of "
        + tag
        + " (group "
        + group
        + ", episode "
        + episode
        + ", member "
        + member
        + ", seed "
        + seed
        + ")";
  }
}
