package roll.core.step;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import roll.api.data.Batch;
import roll.api.data.Trajectory;

/**
 * Episodes that a reward could not grade: they count as failed in their group, but none of their
 * tokens is in the loss, as it is unknown whether they were wrong.
 */
final class UngradedEpisodeMask {
  private UngradedEpisodeMask() {}

  /**
   * Returns {@code batch} of the trajectories {@code played} without the tokens of ungraded
   * episodes.
   */
  static Batch masked(Batch batch, List<Trajectory> played) {
    Set<String> ungraded =
        played.stream()
            .filter(trajectory -> !trajectory.graded())
            .map(Trajectory::id)
            .collect(Collectors.toSet());
    if (ungraded.isEmpty()) {
      return batch;
    }
    boolean[] kept = batch.layout().mask().clone();
    List<String> owners = batch.column(Batch.TRAJECTORY_IDS);
    for (int i = 0; i < batch.samples(); i++) {
      if (ungraded.contains(owners.get(i))) {
        for (int t : batch.layout().policyTokens(i)) {
          kept[t] = false;
        }
      }
    }
    return batch.keeping(kept);
  }
}
