package roll.rollout;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import roll.api.data.RandomStreams;
import roll.api.env.Start;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.pipeline.RolloutRequest;

/**
 * The place of one episode in a rollout; it orders by group, episode, draw and member.
 *
 * @param tag name of the custom environment
 * @param group number of the group
 * @param episode number of the episode within the group's life
 * @param draw how many groups were played in this place before
 * @param member number within the group
 * @param seed of the episode, equal for all members
 */
record Seat(String tag, int group, int episode, int draw, int member, long seed)
    implements Comparable<Seat> {
  private static final Comparator<Seat> ORDER =
      Comparator.comparingInt(Seat::group)
          .thenComparingInt(Seat::episode)
          .thenComparingInt(Seat::draw)
          .thenComparingInt(Seat::member);

  @Override
  public int compareTo(Seat other) {
    return ORDER.compare(this, other);
  }

  /** The seat of a member of {@code group}. */
  static Seat of(RolloutRequest request, Group group, int member) {
    long seed =
        seed(request.seed(), request.purpose(), group.number(), group.episode(), group.draw());
    return new Seat(group.tag(), group.number(), group.episode(), group.draw(), member, seed);
  }

  /**
   * The groups of a rollout, in order. Each plays its first episode, then each its second, and so
   * on until there are as many trajectories as wanted.
   *
   * @throws IllegalArgumentException if these are not whole groups
   */
  static List<Group> plan(RolloutRequest request) {
    EnvManagerConfig envs = request.envs();
    int wanted = request.trajectories();
    if (wanted < 1 || wanted % envs.groupSize() != 0) {
      throw new IllegalArgumentException(
          wanted + " trajectories are no whole groups of " + envs.groupSize());
    }
    List<String> tags = new ArrayList<>();
    for (int i = 0; i < envs.tags().size(); i++) {
      for (int n = 0; n < envs.groupsByTag().get(i); n++) {
        tags.add(envs.tags().get(i));
      }
    }
    List<Group> groups = new ArrayList<>();
    for (int played = 0; played < wanted / envs.groupSize(); played++) {
      int number = played % tags.size();
      String tag = Groups.tag(request, tags.get(number), number, request.excluded(), List.of());
      groups.add(new Group(tag, number, request.firstEpisode() + played / tags.size()));
    }
    groups.sort(Comparator.comparingInt(Group::number).thenComparingInt(Group::episode));
    return List.copyOf(groups);
  }

  /**
   * The seed of an episode, from 0 to 2³¹ − 1 like ROLL's. Training has the even ones, everything
   * else the odd ones: no level is both trained on and validated on.
   */
  static long seed(long root, String purpose, int group, int episode, int draw) {
    long first = RandomStreams.seed(root, purpose + "-episode", group, episode);
    long drawn = (draw == 0 ? first : RandomStreams.seed(first, "draw", draw)) >>> 33;
    return purpose.equals("train") ? drawn & ~1L : drawn | 1L;
  }

  /** Which episode it is to its world. */
  Start start(RolloutRequest request) {
    int first = 0;
    int groups = request.envs().groups();
    for (int i = 0; i < request.envs().tags().size(); i++) {
      int ofTag = request.envs().groupsByTag().get(i);
      if (request.envs().tags().get(i).equals(tag) && group >= first && group < first + ofTag) {
        groups = ofTag;
        break;
      }
      first += ofTag;
    }
    int index = Math.floorMod(group - first, groups);
    long position = (long) episode * groups + index;
    return new Start(request.purpose(), request.seed(), seed, position, groups, draw);
  }

  /** The place of its group. */
  Group.Place place() {
    return new Group.Place(group, episode);
  }

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
