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

/** A group in progress: its running attempts and its finished trajectories. Used by one thread. */
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

  /** Where it stands among all groups, whatever is played there. */
  EpisodeSlot.GroupSlot slot() {
    return new EpisodeSlot.GroupSlot(number, episode);
  }

  /** The slot of a member. */
  EpisodeSlot slot(RolloutRequest request, int member) {
    long seed = EpisodeSlot.seed(request.seed(), request.purpose(), number, episode, draw);
    return new EpisodeSlot(tag, number, episode, draw, member, seed);
  }

  /** The round in which it was begun. */
  int since() {
    return since;
  }

  /** Sets the round in which it was begun. */
  void since(int round) {
    since = round;
  }

  /**
   * Whether it lacks members that are in a call of their environment for longer than {@code nanos}.
   */
  boolean heldLongerThan(long nanos, int size) {
    long moving = running.values().stream().filter(a -> a.inCallFor() <= nanos).count();
    return !closed && played.size() + moving < size;
  }

  /** How many groups were played in this one's slot before. */
  int draw() {
    return draw;
  }

  /** Whether its trajectories are final. */
  boolean closed() {
    return closed;
  }

  /** Whether {@code slot} is one of this group and not of one that was played in its slot. */
  boolean has(EpisodeSlot slot) {
    return !closed && slot.draw() == draw;
  }

  /** Members that play, by number. */
  SortedMap<Integer, Attempt> running() {
    return running;
  }

  /** Members that are done, in the order in which they were. */
  List<Trajectory> played() {
    return played;
  }

  /** The first {@code size} that were done, by member. */
  List<Trajectory> first(int size) {
    return played.stream()
        .limit(size)
        .sorted(Comparator.comparingInt((Trajectory t) -> t.key().member()))
        .toList();
  }

  /** Ends with the first {@code size} members that were done. */
  void close(int size) {
    List<Trajectory> chosen = first(size);
    played.clear();
    played.addAll(chosen);
    closed = true;
  }

  /** How many groups in a row were lost in this slot. */
  int lost() {
    return lost;
  }

  /** One more group is lost. */
  void lose() {
    lost++;
  }

  /** Is forgotten; another group is played in its place. */
  void replace(String otherTag) {
    lost = otherTag.equals(tag) ? lost : 0;
    tag = otherTag;
    draw++;
    closed = false;
    played.clear();
    running.clear();
  }
}
