package roll.core.trajectory;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What training makes of the tokens of one sequence. All have a cell per token; 0 where the policy
 * did not write it.
 *
 * @param advantages as trained on
 * @param oldLogProbs the trainer's before the update; null where it did not compute them
 * @param referenceLogProbs those of the reference policy; null where there is none
 * @param mask what is trained on: not what a filter, a role or the size of the batch left out
 */
public record TrainedTokens(
    double[] advantages,
    double @Nullable [] oldLogProbs,
    double @Nullable [] referenceLogProbs,
    boolean[] mask) {
  /** The members of a sequence's JSON object, in order; the mask is of 0 and 1. */
  Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("advantages", advantages);
    if (oldLogProbs != null) {
      members.put("old_log_probs", oldLogProbs);
    }
    if (referenceLogProbs != null) {
      members.put("ref_log_probs", referenceLogProbs);
    }
    int[] trained = new int[mask.length];
    for (int t = 0; t < trained.length; t++) {
      trained[t] = mask[t] ? 1 : 0;
    }
    members.put("mask", trained);
    return members;
  }
}
