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
  private boolean closed;

  Group(String tag, int number, int episode) {
    this.tag = tag;
    this.number = number;
    this.episode = episode;
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

  /** Returns whether {@code slot} belongs to the current draw of this group. */
  boolean has(EpisodeSlot slot) {
    return !closed && slot.draw() == draw;
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
    closed = false;
    played.clear();
    running.clear();
  }
}
