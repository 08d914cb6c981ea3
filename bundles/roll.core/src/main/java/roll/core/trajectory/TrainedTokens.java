package roll.core.trajectory;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Training data of the tokens of one sequence, one cell per token; 0 for tokens the policy did not
 * write.
 *
 * @param advantages advantages used in training
 * @param oldLogProbs the trainer's log-probs before the update; null if not computed
 * @param referenceLogProbs log-probs of the reference policy; null if there is none
 * @param mask trained tokens: without those excluded by a filter, a role, or the batch size
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
