package roll.rollout.schedule;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tags that are no longer played, since consecutive groups of a slot were lost. If other groups of
 * the tag succeed, more of them must be lost.
 */
final class TagQuarantine {
  private final int after;
  private final int atMost;
  private final Set<String> tags;

  /** Tags with a complete group since groups were last taken, and in the interval before that. */
  private final Set<String> completed = new HashSet<>();

  private final Set<String> completedBefore = new HashSet<>();

  /**
   * Creates the quarantine.
   *
   * @param tags that are in it already
   * @param after number of consecutive lost groups, if no other group of the tag succeeds
   * @param atMost number of consecutive lost groups in any case
   */
  TagQuarantine(Collection<String> tags, int after, int atMost) {
    this.tags = new HashSet<>(tags);
    this.after = after;
    this.atMost = atMost;
  }

  /** Records a complete group of {@code tag}. */
  void completed(String tag) {
    completed.add(tag);
  }

  /**
   * Adds the tag of {@code group}, which was lost, if too many were; {@code all} are the groups.
   */
  void lost(Group group, List<Group> all) {
    String tag = group.tag();
    boolean succeeds =
        completed.contains(tag)
            || completedBefore.contains(tag)
            || all.stream().anyMatch(other -> other.tag().equals(tag) && other.lost() == 0);
    if (group.lost() >= (succeeds ? atMost : after)) {
      tags.add(tag);
    }
  }

  /** Begins the next interval, after groups were taken. */
  void advance() {
    completedBefore.clear();
    completedBefore.addAll(completed);
    completed.clear();
  }

  /** Returns the tags in quarantine. */
  Set<String> tags() {
    return Set.copyOf(tags);
  }
}
