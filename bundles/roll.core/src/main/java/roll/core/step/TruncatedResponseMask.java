package roll.core.step;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.data.Batch;
import roll.api.data.Trajectory;

/**
 * Responses that ended at the limit of their tokens, in environments where these are not to be
 * trained on ({@code cut_responses: mask}): they count for the advantages of their group, and none
 * of their tokens is in the loss (TRL's {@code mask_truncated_completions}).
 */
final class TruncatedResponseMask {
  private TruncatedResponseMask() {}

  /**
   * {@code batch} of samples of {@code played} without the tokens of such responses; {@code
   * actor/max_len_mask_ratio} is the share of samples that keep all of theirs.
   */
  static Batch masked(
      Batch batch,
      List<Trajectory> played,
      Map<String, EnvConfig> environments,
      Map<String, Double> metrics) {
    Map<String, Set<Integer>> cut = new HashMap<>();
    for (Trajectory trajectory : played) {
      EnvConfig environment = environments.get(trajectory.tag());
      if (environment != null && environment.limits().cut() == EnvLimits.CutResponses.MASK) {
        cut.put(trajectory.id(), new HashSet<>(trajectory.cut()));
      }
    }
    boolean[] kept = batch.layout().mask().clone();
    int whole = 0;
    List<String> owners = batch.column(Batch.TRAJECTORY_IDS);
    for (int i = 0; i < batch.samples(); i++) {
      Set<Integer> turns = cut.getOrDefault(owners.get(i), Set.of());
      boolean any = false;
      for (int t : batch.layout().policyTokens(i)) {
        if (turns.contains(batch.layout().turns()[t])) {
          kept[t] = false;
          any = true;
        }
      }
      whole += any ? 0 : 1;
    }
    if (whole == batch.samples()) {
      return batch;
    }
    metrics.put("actor/max_len_mask_ratio", whole / (double) batch.samples());
    return batch.keeping(kept);
  }
}
