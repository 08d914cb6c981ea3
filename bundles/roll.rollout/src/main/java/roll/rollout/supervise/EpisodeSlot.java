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
 * @param draw how many groups were played in this slot before
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
   * The seed of an episode, from 0 to 2³¹ − 1 like ROLL's. Training has the even ones, everything
   * else the odd ones: no level is both trained on and validated on.
   */
  public static long seed(long root, String purpose, int group, int episode, int draw) {
    long first = RandomStreams.seed(root, purpose + "-episode", group, episode);
    long drawn = (draw == 0 ? first : RandomStreams.seed(first, "draw", draw)) >>> 33;
    return purpose.equals("train") ? drawn & ~1L : drawn | 1L;
  }

  /** Key of the trajectory that is played in it. */
  public TrajectoryKey key() {
    return new TrajectoryKey(tag, group, episode, member, seed);
  }

  /** Which episode it is to its world. */
  public EpisodeStart start(RolloutRequest request) {
    return start(request.purpose(), request.seed(), request.envs().manager());
  }

  /**
   * The same of a rollout for {@code purpose}.
   *
   * @param root the run's seed
   * @param envs how many groups of which tag are begun
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

  /** The slot of its group, whatever is played there. */
  public GroupSlot groupSlot() {
    return new GroupSlot(group, episode);
  }

  /**
   * Where a group stands among all groups.
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
