package roll.rollout.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Sequence;

/**
 * Converts completions to samples: one per branch, that is per completion without a continuation.
 * Completions shared by several branches are trained on in the first of them only. A completion
 * that the program dropped or edited has no sample.
 */
final class BranchSamples {
  private BranchSamples() {}

  /** Returns the last completion of each branch, in order. */
  static List<CapturedCompletion> ends(List<CapturedCompletion> answers) {
    List<CapturedCompletion> kept =
        answers.stream().filter(answer -> !answer.isDropped(answers)).toList();
    return kept.stream()
        .filter(end -> kept.stream().noneMatch(later -> end.isContinuedBy(later.request())))
        .toList();
  }

  /** Returns the samples that end with {@code ends}. */
  static List<Sequence> of(List<CapturedCompletion> ends) {
    BitSet trained = new BitSet();
    return ends.stream().map(end -> sample(end, trained)).toList();
  }

  private static Sequence sample(CapturedCompletion end, BitSet trained) {
    int prompt = end.request().tokens().length;
    int length = prompt + end.response().tokens().length;
    int[] tokens = Arrays.copyOf(end.request().tokens(), length);
    System.arraycopy(end.response().tokens(), 0, tokens, prompt, length - prompt);
    int[] turns = new int[length];
    double[] logProbs = new double[length];
    long[] versions = new long[length];
    Arrays.fill(turns, -1);
    Arrays.fill(versions, -1);
    for (CapturedCompletion answer : branch(end)) {
      if (trained.get(answer.number())) {
        continue;
      }
      trained.set(answer.number());
      int from = answer.request().tokens().length;
      int written = answer.response().tokens().length;
      Arrays.fill(turns, from, from + written, answer.number());
      System.arraycopy(answer.response().logProbs(), 0, logProbs, from, written);
      System.arraycopy(answer.response().weightVersions(), 0, versions, from, written);
    }
    return new Sequence(tokens, turns, logProbs, versions);
  }

  /** Returns the completions of the branch of {@code end}, oldest first. */
  private static List<CapturedCompletion> branch(CapturedCompletion end) {
    List<CapturedCompletion> branch = new ArrayList<>();
    for (@Nullable CapturedCompletion at = end; at != null; at = at.request().before()) {
      branch.add(at);
    }
    return branch.reversed();
  }
}
