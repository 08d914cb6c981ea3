package roll.rollout.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import roll.api.option.UserException;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.pipeline.EpisodeFault;
import roll.runtime.pipeline.RolloutRequest;

/** Plans the groups of a rollout. */
public final class GroupPlan {
  private GroupPlan() {}

  /**
   * Returns the groups of a rollout, in order. Each plays its first episode, then each its second,
   * until the requested number of trajectories is reached.
   *
   * @throws IllegalArgumentException if that number is not a multiple of the group size
   */
  public static List<Group> of(RolloutRequest request) {
    EnvManagerConfig envs = request.envs().manager();
    int wanted = request.trajectories();
    if (wanted < 1 || wanted % envs.groupSize() != 0) {
      throw new IllegalArgumentException(
          wanted + " trajectories are not a multiple of the group size " + envs.groupSize());
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
      String tag = tag(request, tags.get(number), number, request.envs().excluded(), List.of());
      groups.add(new Group(tag, number, request.firstEpisode() + played / tags.size()));
    }
    groups.sort(Comparator.comparingInt(Group::number).thenComparingInt(Group::episode));
    return List.copyOf(groups);
  }

  /** Returns the tag itself, or another one if it is quarantined. */
  static String tag(
      RolloutRequest request,
      String tag,
      int group,
      Set<String> quarantined,
      Iterable<EpisodeFault> faults) {
    List<String> left =
        request.envs().manager().tags().stream().filter(t -> !quarantined.contains(t)).toList();
    if (left.isEmpty()) {
      StringBuilder problems = new StringBuilder();
      faults.forEach(fault -> problems.append("; ").append(fault.problem()));
      throw new UserException(
          "all environments are quarantined, groups of "
              + String.join(", ", quarantined)
              + " were lost repeatedly"
              + problems);
    }
    return quarantined.contains(tag) ? left.get(group % left.size()) : tag;
  }
}
