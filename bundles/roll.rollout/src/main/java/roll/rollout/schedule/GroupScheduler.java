package roll.rollout.schedule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.option.UserException;
import roll.api.rollout.GroupFilter;
import roll.rollout.supervise.Attempt;
import roll.rollout.supervise.AttemptResult;
import roll.rollout.supervise.EnvironmentException;
import roll.rollout.supervise.EpisodeSlot;
import roll.rollout.supervise.ModelFailure;
import roll.runtime.pipeline.EpisodeFault;
import roll.runtime.pipeline.RolloutRequest;

/**
 * Schedules the groups of a rollout. A failed episode is retried; a group that then lacks members
 * is lost and replaced by another one; a tag that only loses groups is quarantined. Confined to one
 * thread.
 */
final class GroupScheduler {
  /**
   * Maximum number of replacements in a slot. After that, a filtered group is kept, and a tag with
   * lost groups is quarantined even if other groups of it succeed.
   */
  private static final int MOST_DRAWS = 10;

  /** Nanoseconds of a call of an environment after which an expired group may hang in it. */
  private static final long LONG_CALL = 100_000_000;

  private final RolloutRequest request;
  private final @Nullable GroupFilter filter;
  private final EpisodeStarter starter;
  private final List<Group> groups = new ArrayList<>();
  private final Map<EpisodeSlot.GroupSlot, Group> bySlot = new LinkedHashMap<>();
  private final EpisodeCounts counts = new EpisodeCounts();
  private final TagQuarantine quarantine;
  private List<UnfinishedGroups.Entry> taken = List.of();
  private int round;

  /** Starts and drops episodes. */
  interface EpisodeStarter {
    /**
     * Starts the episode of {@code slot}.
     *
     * @param drawn whether to render it
     */
    Attempt begin(EpisodeSlot slot, boolean drawn);

    /** Retries the episode of {@code failed}. */
    Attempt beginAgain(Attempt failed, boolean drawn);

    /** Drops an attempt that is no longer needed. */
    void drop(Attempt attempt);
  }

  /**
   * Creates a scheduler without groups.
   *
   * @param filter drops groups, or null
   */
  GroupScheduler(RolloutRequest request, @Nullable GroupFilter filter, EpisodeStarter starter) {
    this.request = request;
    this.filter = filter;
    this.starter = starter;
    quarantine =
        new TagQuarantine(
            request.envs().excluded(), request.envs().monitor().quarantineAfter(), MOST_DRAWS);
  }

  /** Starts {@code more} groups of episodes. */
  void begin(List<Group> more) {
    for (Group group : more) {
      groups.add(group);
      bySlot.put(group.slot(), group);
      begin(group);
    }
  }

  private void begin(Group group) {
    group.since(round);
    beginMembers(group);
  }

  /** Starts the members that have not finished. */
  private void beginMembers(Group group) {
    for (int member = 0; member < request.envs().manager().members(); member++) {
      if (!group.hasPlayed(member)) {
        EpisodeSlot slot = group.slot(request, member);
        group.running().put(member, starter.begin(slot, drawn(slot)));
      }
    }
  }

  /** Continues begun groups of a checkpoint; those without a finished member begin anew. */
  void resume(List<Group> begun, int bound) {
    for (Group group : begun) {
      groups.add(group);
      bySlot.put(group.slot(), group);
      if (group.played().isEmpty()) {
        begin(group);
      } else if (!group.closed()) {
        beginMembers(group);
      }
    }
    expire(bound);
  }

  /** Returns the groups that no step has taken, as a checkpoint keeps them. */
  List<UnfinishedGroups.Entry> unfinished() {
    return groups.stream().map(group -> group.entry(round - group.since())).toList();
  }

  /** Returns the groups of the last {@link #take}, to be played again if the step is repeated. */
  List<UnfinishedGroups.Entry> taken() {
    return taken;
  }

  /** Returns whether to render the episode of {@code slot}: the first planned ones are. */
  private boolean drawn(EpisodeSlot slot) {
    if (request.drawn() == 0 || slot.draw() > 0) {
      return false;
    }
    int number = groups.indexOf(bySlot.get(slot.groupSlot()));
    return number * request.envs().manager().members() + slot.member() < request.drawn();
  }

  /**
   * Processes the attempts that have ended.
   *
   * @return whether episodes were started or dropped as a result
   */
  boolean settle(List<AttemptResult> all) {
    Set<Group> touched = new LinkedHashSet<>();
    boolean changed = false;
    for (AttemptResult ended : all) {
      EpisodeSlot slot = ended.attempt().slot();
      Group group = bySlot.get(slot.groupSlot());
      if (group == null || !group.has(ended.attempt())) {
        continue;
      }
      group.running().remove(slot.member());
      if (ended.trajectory() != null) {
        group.played().add(ended.trajectory());
        if (ended.failure() instanceof EnvironmentException reward) {
          counts.ofTag(slot.tag(), Trajectory.UNGRADED);
          counts.fault(slot, reward, "; the episode counts as failed");
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
    counts.add("failed_episodes", 1);
    counts.ofTag(slot.tag(), environment.timeout() ? "timeouts" : "failures");
    counts.fault(slot, environment, "");
    if (attempt.number() >= request.envs().monitor().maxRetries()) {
      return false;
    }
    group.running().put(slot.member(), starter.beginAgain(attempt, drawn(slot)));
    return true;
  }

  private boolean decide(Group group) {
    int size = request.envs().manager().groupSize();
    if (group.played().size() >= size) {
      return complete(group, size);
    }
    if (group.played().size() + group.running().size() >= size) {
      return false;
    }
    counts.add("lost_groups", 1);
    group.lose();
    quarantine.lost(group, groups);
    return replace(group);
  }

  private boolean complete(Group group, int size) {
    boolean rest = !group.running().isEmpty();
    counts.add("redundant_episodes", group.played().size() - size + group.running().size());
    if (filter != null && group.draw() < MOST_DRAWS && filter.drops(group.first(size))) {
      counts.add("group_filter_count", 1);
      return replace(group);
    }
    group.running().values().forEach(starter::drop);
    group.close(size);
    quarantine.completed(group.tag());
    return rest;
  }

  private boolean replace(Group group) {
    group.running().values().forEach(starter::drop);
    group.replace(
        GroupPlan.tag(request, group.tag(), group.number(), quarantine.tags(), counts.faults()));
    begin(group);
    return true;
  }

  /**
   * Begins a new round; groups started more than {@code bound} rounds ago expire. They are played
   * again from their seed; those that expire again in a long call of their environment are
   * replaced, since the call may hang.
   */
  void advance(int bound) {
    round++;
    expire(bound);
  }

  private void expire(int bound) {
    for (Group group : groups) {
      if (round - group.since() > bound) {
        counts.add("expired_groups", 1);
        boolean hangs =
            !group.expire()
                && group.blockedLongerThan(LONG_CALL, request.envs().manager().groupSize());
        if (!hangs && !quarantine.tags().contains(group.tag())) {
          group.running().values().forEach(starter::drop);
          group.reset();
          begin(group);
        } else {
          replace(group);
        }
      }
    }
  }

  /** Returns the quarantined tags of the rollout. */
  Set<String> quarantined() {
    return quarantine.tags();
  }

  /** Returns whether every group is complete. */
  boolean complete() {
    return groups.stream().allMatch(Group::closed);
  }

  /** Returns the number of groups, complete or not. */
  int size() {
    return groups.size();
  }

  /** Returns whether a step must not take groups yet, according to {@code wait}. */
  boolean await(StalenessWait wait) {
    return wait.mustWait(groups, round);
  }

  /** Removes and returns the oldest {@code number} complete groups, or all if there are fewer. */
  CompletedGroups take(int number) {
    List<Group> chosen = StalenessWait.oldest(groups, number);
    groups.removeAll(chosen);
    chosen.forEach(group -> bySlot.remove(group.slot()));
    CompletedGroups completed =
        new CompletedGroups(
            chosen.stream().flatMap(group -> group.played().stream()).toList(),
            counts.metrics(),
            counts.faults(),
            quarantine.tags());
    taken = chosen.stream().map(Group::again).toList();
    counts.clear();
    quarantine.advance();
    return completed;
  }

  /**
   * Complete groups, with the counts and faults since the last call.
   *
   * @param trajectories trajectories by group
   * @param counts metrics
   * @param faults the first fault of each kind
   * @param quarantined quarantined tags
   */
  record CompletedGroups(
      List<Trajectory> trajectories,
      Map<String, Double> counts,
      List<EpisodeFault> faults,
      Set<String> quarantined) {}
}
