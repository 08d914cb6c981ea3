package roll.rollout.schedule;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.runtime.pipeline.RolloutRequest;

/**
 * Begins the groups of asynchronous training: those of each step, and as many of later steps as may
 * run ahead. Confined to one thread.
 */
final class GroupsAhead {
  private final double ahead;
  private final int steps;
  private final int groupsOfAStep;
  private final GroupScheduler groups;
  private final StalenessWait wait;
  private final Deque<Group> planned = new ArrayDeque<>();
  private RolloutRequest request;
  private @Nullable UnfinishedGroups resumed;
  private int stepsBegun;
  private int stepsPlanned;
  private long groupsBegun;

  /**
   * Creates a plan before the first step.
   *
   * @param ahead number of steps whose groups may run ahead
   * @param steps number of steps of the run
   * @param saved groups of a checkpoint that the first step continues with, or null
   */
  GroupsAhead(
      RolloutRequest request,
      double ahead,
      int steps,
      GroupScheduler groups,
      StalenessWait wait,
      @Nullable UnfinishedGroups saved) {
    this.request = request;
    this.ahead = ahead;
    this.steps = steps;
    this.groupsOfAStep = request.trajectories() / request.envs().manager().groupSize();
    this.groups = groups;
    this.wait = wait;
    this.resumed = saved;
  }

  /**
   * Begins a step: plays expired groups again and starts groups that may run ahead.
   *
   * @param groupsByTag groups of each tag from now on; empty for no change
   */
  void begin(List<Integer> groupsByTag) {
    if (!groupsByTag.isEmpty()) {
      request = request.withGroups(groupsByTag);
    }
    wait.begin();
    UnfinishedGroups saved = resumed;
    if (saved != null) {
      resume(saved);
    } else if (stepsBegun > 0) {
      groups.advance((int) Math.ceil(ahead));
    }
    stepsBegun++;
    double most = Math.min(stepsBegun + ahead, Math.max(stepsBegun, steps)) * groupsOfAStep;
    while (groupsBegun < Math.ceil(most)) {
      if (planned.isEmpty()) {
        planned.addAll(GroupPlan.of(request.later(stepsPlanned++, groups.quarantined())));
      }
      groups.begin(List.of(planned.removeFirst()));
      groupsBegun++;
    }
  }

  /** Continues with the groups of a checkpoint. */
  private void resume(UnfinishedGroups saved) {
    Map<Boolean, List<Group>> all =
        saved.groups().stream()
            .collect(
                Collectors.partitioningBy(
                    entry -> entry.age() >= 0, Collectors.mapping(Group::of, Collectors.toList())));
    List<Group> begun = all.getOrDefault(true, List.of());
    groups.resume(begun, (int) Math.ceil(ahead));
    groupsBegun = begun.size();
    stepsPlanned = saved.position().planned();
    if (saved.repeats(request)) {
      saved.taken().forEach(entry -> planned.add(Group.of(entry)));
      stepsPlanned++;
    }
    planned.addAll(all.getOrDefault(false, List.of()));
    wait.last(saved.position().stepNanos());
    resumed = null;
  }

  /**
   * Returns the groups that no step has taken.
   *
   * @param due whether the last step has not taken its groups yet
   */
  UnfinishedGroups unfinished(boolean due) {
    UnfinishedGroups untouched = resumed;
    if (untouched != null) {
      return untouched;
    }
    int taken = stepsBegun - (due ? 1 : 0);
    List<UnfinishedGroups.Entry> all = new ArrayList<>(groups.unfinished());
    planned.forEach(group -> all.add(group.entry(-1)));
    return new UnfinishedGroups(
        UnfinishedGroups.Shape.of(request),
        new UnfinishedGroups.Position(
            request.firstEpisode() + taken * request.episodes(),
            stepsPlanned - taken,
            wait.stepNanos()),
        all,
        groups.taken());
  }
}
