package roll.rollout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import roll.api.config.UserException;
import roll.api.data.Trajectory;
import roll.api.pipeline.Fault;
import roll.api.pipeline.RolloutRequest;
import roll.api.rollout.GroupFilter;

/**
 * The groups of a rollout: which episodes are begun, begun again or no longer needed. A failed
 * episode is begun again a few times; a group that lacks members then is lost, and another one is
 * played in its place; a tag that only loses groups is no longer played. Used by one thread.
 */
final class Groups {
  /**
   * So often another group is played in a place: then what the filter drops is kept, and a tag
   * whose groups are lost is given up even if others of it fare better.
   */
  private static final int MOST_DRAWS = 10;

  private final RolloutRequest request;
  private final @Nullable GroupFilter filter;
  private final Crowd crowd;
  private final List<Group> groups = new ArrayList<>();
  private final Map<List<Integer>, Group> byPlace = new LinkedHashMap<>();
  private final Set<String> quarantined = new TreeSet<>();
  private final Map<List<String>, Fault> faults = new LinkedHashMap<>();
  private final Map<String, Double> counts = new LinkedHashMap<>();

  /** Begins and ends episodes. */
  interface Crowd {
    /** Begins an attempt at the episode of {@code seat}. */
    Attempt begin(Seat seat, int attempt);

    /** Ends an attempt that is no longer needed. */
    void drop(Attempt attempt);
  }

  /**
   * The groups of {@code request}.
   *
   * @param filter says which groups to drop, or null for none
   */
  Groups(RolloutRequest request, @Nullable GroupFilter filter, Crowd crowd) {
    this.request = request;
    this.filter = filter;
    this.crowd = crowd;
    quarantined.addAll(request.excluded());
    for (Group group : Seat.plan(request)) {
      groups.add(group);
      byPlace.put(List.of(group.number(), group.episode()), group);
    }
    for (String name :
        List.of("failed_episodes", "lost_groups", "group_filter_count", "redundant_episodes")) {
      counts.put("scheduler/" + name, 0.0);
    }
  }

  /** Number of a planned episode among all, in order. */
  int place(Seat seat) {
    Group group = Objects.requireNonNull(byPlace.get(List.of(seat.group(), seat.episode())));
    return groups.indexOf(group) * request.envs().members() + seat.member();
  }

  /** Begins all groups. */
  void begin() {
    groups.forEach(this::begin);
  }

  private void begin(Group group) {
    for (int member = 0; member < request.envs().members(); member++) {
      group.running().put(member, crowd.begin(Seat.of(request, group, member), 0));
    }
  }

  /**
   * Takes in how episodes ended.
   *
   * @return whether others were begun or ended because of that
   */
  boolean settle(List<Ended> all) {
    Set<Group> touched = new LinkedHashSet<>();
    boolean changed = false;
    for (Ended ended : all) {
      Seat seat = ended.attempt().seat();
      Group group = Objects.requireNonNull(byPlace.get(List.of(seat.group(), seat.episode())));
      if (!group.has(seat)) {
        continue;
      }
      group.running().remove(seat.member());
      if (ended.trajectory() != null) {
        group.played().add(ended.trajectory());
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

  private boolean failed(Group group, Attempt attempt, Throwable failure) {
    Seat seat = attempt.seat();
    if (failure instanceof UserException) {
      throw new UserException(seat + ": " + failure.getMessage(), failure);
    }
    if (!(failure instanceof EnvironmentException environment)) {
      throw new IllegalStateException(seat + " failed: " + failure, failure);
    }
    count("failed_episodes", 1);
    count(seat.tag(), environment.timeout() ? "timeouts" : "failures");
    String problem = seat + ": " + environment.getMessage();
    faults.putIfAbsent(
        List.of(seat.tag(), String.valueOf(environment.getMessage())),
        new Fault(seat.tag(), seat.seed(), problem, environment.stack()));
    if (attempt.number() >= request.monitor().maxRetries()) {
      return false;
    }
    group.running().put(seat.member(), crowd.begin(seat, attempt.number() + 1));
    return true;
  }

  private boolean decide(Group group) {
    int size = request.envs().groupSize();
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
        groups.stream()
            .filter(other -> other.tag().equals(group.tag()))
            .anyMatch(other -> other.closed() || other.lost() == 0);
    return group.lost() >= (better ? MOST_DRAWS : request.monitor().quarantineAfter());
  }

  private boolean complete(Group group, int size) {
    boolean rest = !group.running().isEmpty();
    count("redundant_episodes", group.played().size() - size + group.running().size());
    if (filter != null && group.draw() < MOST_DRAWS && filter.drops(group.first(size))) {
      count("group_filter_count", 1);
      return replace(group);
    }
    group.running().values().forEach(crowd::drop);
    group.close(size);
    return rest;
  }

  private boolean replace(Group group) {
    group.running().values().forEach(crowd::drop);
    group.replace(tag(request, group.tag(), group.number(), quarantined, faults.values()));
    begin(group);
    return true;
  }

  /** The tag itself, or another one if it is in quarantine. */
  static String tag(
      RolloutRequest request,
      String tag,
      int group,
      Set<String> quarantined,
      Iterable<Fault> faults) {
    List<String> left =
        request.envs().tags().stream().filter(t -> !quarantined.contains(t)).toList();
    if (left.isEmpty()) {
      StringBuilder problems = new StringBuilder();
      faults.forEach(fault -> problems.append("; ").append(fault.problem()));
      throw new UserException(
          "no environment can be played any longer, groups of "
              + String.join(", ", quarantined)
              + " are lost again and again"
              + problems);
    }
    return quarantined.contains(tag) ? left.get(group % left.size()) : tag;
  }

  private void count(String tag, String name) {
    counts.merge("env/" + tag + "/" + name, 1.0, Double::sum);
  }

  private void count(String name, int more) {
    counts.merge("scheduler/" + name, (double) more, Double::sum);
  }

  /** The trajectories of all groups in order. */
  List<Trajectory> trajectories() {
    return groups.stream().flatMap(group -> group.played().stream()).toList();
  }

  /** The first failure of each kind. */
  List<Fault> faults() {
    return List.copyOf(faults.values());
  }

  /** Tags that are no longer played. */
  Set<String> quarantined() {
    return Collections.unmodifiableSet(quarantined);
  }

  /** What was counted. */
  Map<String, Double> counts() {
    return Collections.unmodifiableMap(counts);
  }
}
