package roll.rollout.schedule;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.option.UserException;
import roll.api.rollout.GroupFilter;
import roll.rollout.supervise.Attempt;
import roll.rollout.supervise.AttemptResult;
import roll.rollout.supervise.EnvironmentException;
import roll.rollout.supervise.EpisodeSlot;
import roll.rollout.supervise.ModelFailure;
import roll.runtime.pipeline.Fault;
import roll.runtime.pipeline.RolloutRequest;

/**
 * The groups of a rollout: which episodes are begun, begun again or no longer needed. A failed
 * episode is begun again a few times; a group that lacks members then is lost, and another one is
 * played in its place; a tag that only loses groups is no longer played. Used by one thread.
 */
final class GroupScheduler {
  /**
   * So often another group is played in a place: then what the filter drops is kept, and a tag
   * whose groups are lost is given up even if others of it fare better.
   */
  private static final int MOST_DRAWS = 10;

  private static final List<String> COUNTED =
      List.of("failed_episodes", "lost_groups", "group_filter_count", "redundant_episodes");

  private final RolloutRequest request;
  private final @Nullable GroupFilter filter;
  private final EpisodeStarter starter;
  private final List<Group> groups = new ArrayList<>();
  private final Map<EpisodeSlot.GroupSlot, Group> bySlot = new LinkedHashMap<>();
  private final Set<String> quarantined = new TreeSet<>();
  private final Map<List<String>, Fault> faults = new LinkedHashMap<>();
  private final Map<String, Double> counts = new LinkedHashMap<>();

  /** Tags of which a group was complete since groups were last taken, and before that. */
  private final Set<String> well = new HashSet<>();

  private final Set<String> wellBefore = new HashSet<>();

  private int round;

  /** Begins and ends episodes. */
  interface EpisodeStarter {
    /**
     * Begins the episode of {@code slot}.
     *
     * @param drawn whether as pictures
     */
    Attempt begin(EpisodeSlot slot, boolean drawn);

    /** Begins the episode of {@code failed} once more. */
    Attempt beginAgain(Attempt failed, boolean drawn);

    /** Ends an attempt that is no longer needed. */
    void drop(Attempt attempt);
  }

  /**
   * No groups yet.
   *
   * @param filter says which groups to drop, or null for none
   */
  GroupScheduler(RolloutRequest request, @Nullable GroupFilter filter, EpisodeStarter starter) {
    this.request = request;
    this.filter = filter;
    this.starter = starter;
    quarantined.addAll(request.envs().excluded());
    clear();
  }

  private void clear() {
    counts.clear();
    for (String name : COUNTED) {
      counts.put("scheduler/" + name, 0.0);
    }
  }

  /** Begins {@code more} groups. */
  void begin(List<Group> more) {
    for (Group group : more) {
      groups.add(group);
      bySlot.put(group.slot(), group);
      begin(group);
    }
  }

  private void begin(Group group) {
    group.since(round);
    for (int member = 0; member < request.envs().manager().members(); member++) {
      EpisodeSlot slot = group.slot(request, member);
      group.running().put(member, starter.begin(slot, drawn(slot)));
    }
  }

  /** The first planned episodes are drawn. */
  private boolean drawn(EpisodeSlot slot) {
    if (request.drawn() == 0 || slot.draw() > 0) {
      return false;
    }
    int number = groups.indexOf(bySlot.get(slot.groupSlot()));
    return number * request.envs().manager().members() + slot.member() < request.drawn();
  }

  /**
   * Takes in how episodes ended.
   *
   * @return whether others were begun or ended because of that
   */
  boolean settle(List<AttemptResult> all) {
    Set<Group> touched = new LinkedHashSet<>();
    boolean changed = false;
    for (AttemptResult ended : all) {
      EpisodeSlot slot = ended.attempt().slot();
      Group group = bySlot.get(slot.groupSlot());
      if (group == null || !group.has(slot)) {
        continue;
      }
      group.running().remove(slot.member());
      if (ended.trajectory() != null) {
        group.played().add(ended.trajectory());
        if (ended.failure() instanceof EnvironmentException reward) {
          count(slot.tag(), Trajectory.UNGRADED);
          fault(slot, reward, "; the episode counts as failed");
        }
      } else {
        changed |= failed(group, ended.attempt(), Objects.requireNonNull(ended.failure()));
      }
      touched.add(group);
    }
    for (Group group : touched) {
      changed |= decide(group);
    }
    return changed;
  }

  private boolean failed(Group group, Attempt attempt, Throwable ended) {
    EpisodeSlot slot = attempt.slot();
    Throwable failure = ended instanceof ModelFailure model ? model.reason() : ended;
    if (failure instanceof UserException) {
      throw new UserException(slot + ": " + failure.getMessage(), failure);
    }
    if (!(failure instanceof EnvironmentException environment)) {
      throw new IllegalStateException(slot + " failed: " + failure, failure);
    }
    count("failed_episodes", 1);
    count(slot.tag(), environment.timeout() ? "timeouts" : "failures");
    fault(slot, environment, "");
    if (attempt.number() >= request.envs().monitor().maxRetries()) {
      return false;
    }
    group.running().put(slot.member(), starter.beginAgain(attempt, drawn(slot)));
    return true;
  }

  private void fault(EpisodeSlot slot, EnvironmentException failure, String then) {
    String problem = slot + ": " + failure.getMessage() + then;
    faults.putIfAbsent(
        List.of(slot.tag(), String.valueOf(failure.getMessage())),
        new Fault(slot.tag(), slot.seed(), problem, failure.stack()));
  }

  private boolean decide(Group group) {
    int size = request.envs().manager().groupSize();
    if (group.played().size() >= size) {
      return complete(group, size);
    }
    if (group.played().size() + group.running().size() >= size) {
      return false;
    }
    count("lost_groups", 1);
    group.lose();
    if (hopeless(group)) {
      quarantined.add(group.tag());
    }
    return replace(group);
  }

  /** Whether groups are lost in this place again and again, and none of the tag fares better. */
  private boolean hopeless(Group group) {
    boolean better =
        well.contains(group.tag())
            || wellBefore.contains(group.tag())
            || groups.stream()
                .anyMatch(other -> other.tag().equals(group.tag()) && other.lost() == 0);
    return group.lost() >= (better ? MOST_DRAWS : request.envs().monitor().quarantineAfter());
  }

  private boolean complete(Group group, int size) {
    boolean rest = !group.running().isEmpty();
    count("redundant_episodes", group.played().size() - size + group.running().size());
    if (filter != null && group.draw() < MOST_DRAWS && filter.drops(group.first(size))) {
      count("group_filter_count", 1);
      return replace(group);
    }
    group.running().values().forEach(starter::drop);
    group.close(size);
    well.add(group.tag());
    return rest;
  }

  private boolean replace(Group group) {
    group.running().values().forEach(starter::drop);
    group.replace(
        GroupPlan.tag(request, group.tag(), group.number(), quarantined, faults.values()));
    begin(group);
    return true;
  }

  private void count(String tag, String name) {
    counts.merge("env/" + tag + "/" + name, 1.0, Double::sum);
  }

  private void count(String name, int more) {
    counts.merge("scheduler/" + name, (double) more, Double::sum);
  }

  /**
   * Begins a new round: groups that were begun more than {@code bound} rounds ago are too old to be
   * used, and are replayed.
   */
  void advance(int bound) {
    round++;
    for (Group group : groups) {
      if (round - group.since() > bound) {
        count("expired_groups", 1);
        replace(group);
      }
    }
  }

  /** Tags that are no longer played. */
  Set<String> quarantined() {
    return Set.copyOf(quarantined);
  }

  /** Whether every group is complete. */
  boolean complete() {
    return groups.stream().allMatch(Group::closed);
  }

  /** How many groups there are, complete or not. */
  int size() {
    return groups.size();
  }

  /** Whether a step must not take groups yet, as {@code wait} finds. */
  boolean await(DueWait wait) {
    return wait.lasts(groups, round);
  }

  /** Takes the oldest {@code number} groups that are complete, or all if there are fewer. */
  CompletedGroups take(int number) {
    List<Group> chosen = DueWait.oldest(groups, number);
    groups.removeAll(chosen);
    chosen.forEach(group -> bySlot.remove(group.slot()));
    CompletedGroups completed =
        new CompletedGroups(
            chosen.stream().flatMap(group -> group.played().stream()).toList(),
            Map.copyOf(counts),
            List.copyOf(faults.values()),
            Set.copyOf(quarantined));
    clear();
    faults.clear();
    wellBefore.clear();
    wellBefore.addAll(well);
    well.clear();
    return completed;
  }

  /**
   * Groups that are done, and what was met since the last ones were taken.
   *
   * @param trajectories by group
   * @param counts what was counted
   * @param faults the first failure of each kind
   * @param quarantined tags that are no longer played
   */
  record CompletedGroups(
      List<Trajectory> trajectories,
      Map<String, Double> counts,
      List<Fault> faults,
      Set<String> quarantined) {}
}
