package roll.rollout.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import roll.api.data.Trajectory;
import roll.rollout.supervise.Attempt;
import roll.rollout.supervise.EpisodeSlot;
import roll.runtime.pipeline.RolloutRequest;

/** A group in progress: its running attempts and finished trajectories. Confined to one thread. */
public final class Group {
  private final int number;
  private final int episode;
  private final SortedMap<Integer, Attempt> running = new TreeMap<>();
  private final List<Trajectory> played = new ArrayList<>();
  private String tag;
  private int draw;
  private int lost;
  private int since;
  private boolean expired;
  private boolean closed;

  Group(String tag, int number, int episode) {
    this.tag = tag;
    this.number = number;
    this.episode = episode;
  }

  /** Returns the group of a checkpoint, in a stream that continues with the next round. */
  static Group of(UnfinishedGroups.Entry entry) {
    Group group = new Group(entry.tag(), entry.number(), entry.episode());
    group.draw = entry.draw();
    group.lost = entry.lost();
    group.since = -entry.age() - 1;
    group.expired = entry.expired();
    group.closed = entry.closed();
    group.played.addAll(entry.played());
    return group;
  }

  /**
   * Returns the group as a checkpoint keeps it.
   *
   * @param age rounds since it was begun; −1 if it is only planned
   */
  UnfinishedGroups.Entry entry(int age) {
    return new UnfinishedGroups.Entry(
        tag, number, episode, draw, lost, age, expired, closed, List.copyOf(played));
  }

  /** Returns the group as a checkpoint keeps it if all members are to be played again. */
  UnfinishedGroups.Entry again() {
    return new UnfinishedGroups.Entry(
        tag, number, episode, draw, lost, -1, expired, false, List.of());
  }

  String tag() {
    return tag;
  }

  int number() {
    return number;
  }

  int episode() {
    return episode;
  }

  /** Returns the slot of the group, independent of the draw. */
  EpisodeSlot.GroupSlot slot() {
    return new EpisodeSlot.GroupSlot(number, episode);
  }

  /** Returns the slot of a member. */
  EpisodeSlot slot(RolloutRequest request, int member) {
    long seed = EpisodeSlot.seed(request.seed(), request.purpose(), number, episode, draw);
    return new EpisodeSlot(tag, number, episode, draw, member, seed);
  }

  /** Returns the round in which it was started. */
  int since() {
    return since;
  }

  /** Sets the round in which it was started. */
  void since(int round) {
    since = round;
  }

  /**
   * Returns whether the group is incomplete only because members have been in a call of their
   * environment for more than {@code nanos}.
   */
  boolean blockedLongerThan(long nanos, int size) {
    long moving = running.values().stream().filter(a -> a.inCallFor() <= nanos).count();
    return !closed && played.size() + moving < size;
  }

  /** Returns the number of earlier groups in this slot. */
  int draw() {
    return draw;
  }

  /** Returns whether the group's trajectories are final. */
  boolean closed() {
    return closed;
  }

  /** Returns whether {@code attempt} is a running member of this group. */
  boolean has(Attempt attempt) {
    return !closed && running.get(attempt.slot().member()) == attempt;
  }

  /** Returns whether the member {@code number} has finished. */
  boolean hasPlayed(int number) {
    return played.stream().anyMatch(trajectory -> trajectory.key().member() == number);
  }

  /** Expires the group; returns whether it is the first time. */
  boolean expire() {
    boolean first = !expired;
    expired = true;
    return first;
  }

  /** Returns the running members, by number. */
  SortedMap<Integer, Attempt> running() {
    return running;
  }

  /** Returns the trajectories of finished members, in order of completion. */
  List<Trajectory> played() {
    return played;
  }

  /** Returns the first {@code size} finished trajectories, by member. */
  List<Trajectory> first(int size) {
    return played.stream()
        .limit(size)
        .sorted(Comparator.comparingInt((Trajectory t) -> t.key().member()))
        .toList();
  }

  /** Closes the group with the first {@code size} finished members. */
  void close(int size) {
    List<Trajectory> chosen = first(size);
    played.clear();
    played.addAll(chosen);
    closed = true;
  }

  /** Returns the number of consecutive lost groups in this slot. */
  int lost() {
    return lost;
  }

  /** Counts a group that was lost by failures. */
  void lose() {
    lost++;
  }

  /** Resets the group of episodes; another one is played in its place. */
  void replace(String otherTag) {
    lost = otherTag.equals(tag) ? lost : 0;
    tag = otherTag;
    draw++;
    reset();
  }

  /** Resets the group of episodes, which are played again from their seed. */
  void reset() {
    closed = false;
    played.clear();
    running.clear();
  }
}
