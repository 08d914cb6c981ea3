package roll.rollout;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import roll.api.config.EnvManagerConfig;
import roll.api.data.RandomStreams;
import roll.api.pipeline.RolloutRequest;

/**
 * The place of one episode in a rollout; it orders by group, episode and member.
 *
 * @param tag name of the custom environment
 * @param group number of the group
 * @param episode number of the episode within the group's life
 * @param member number within the group
 * @param seed of the episode, equal for all members
 */
record Seat(String tag, int group, int episode, int member, long seed) implements Comparable<Seat> {
  private static final Comparator<Seat> ORDER =
      Comparator.comparingInt(Seat::group)
          .thenComparingInt(Seat::episode)
          .thenComparingInt(Seat::member);

  @Override
  public int compareTo(Seat other) {
    return ORDER.compare(this, other);
  }

  /**
   * The seats of a rollout, in order. Each group plays its first episode, then each its second, and
   * so on until there are as many trajectories as wanted.
   *
   * @throws IllegalArgumentException if these are not whole groups
   */
  static List<Seat> plan(RolloutRequest request) {
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
    List<Seat> seats = new ArrayList<>();
    for (int played = 0; played < wanted / envs.groupSize(); played++) {
      int group = played % tags.size();
      int episode = request.firstEpisode() + played / tags.size();
      long seed = seed(request.seed(), request.purpose(), group, episode);
      for (int member = 0; member < envs.groupSize(); member++) {
        seats.add(new Seat(tags.get(group), group, episode, member, seed));
      }
    }
    seats.sort(null);
    return List.copyOf(seats);
  }

  /**
   * The seed of an episode, from 0 to 2³¹ − 1 like ROLL's. Training has the even ones, everything
   * else the odd ones: no level is both trained on and validated on.
   */
  static long seed(long root, String purpose, int group, int episode) {
    long drawn = RandomStreams.seed(root, purpose + "-episode", group, episode) >>> 33;
    return purpose.equals("train") ? drawn & ~1L : drawn | 1L;
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
