package roll.rollout.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Sequence;

/**
 * The samples that the answers of an episode are: one for each branch, that is for each answer that
 * no other continues. What branches share is trained in the first of them; in the others it is what
 * the model saw. Answers that the program dropped or edited are in no sample of their own.
 */
final class BranchSamples {
  private BranchSamples() {}

  /** The answers that end a branch, in the order in which they were given. */
  static List<CapturedAnswer> ends(List<CapturedAnswer> answers) {
    List<CapturedAnswer> kept =
        answers.stream().filter(answer -> !answer.isDropped(answers)).toList();
    return kept.stream()
        .filter(end -> kept.stream().noneMatch(later -> end.isContinuedBy(later.question())))
        .toList();
  }

  /** The samples that end with {@code ends}. */
  static List<Sequence> of(List<CapturedAnswer> ends) {
    BitSet trained = new BitSet();
    return ends.stream().map(end -> sample(end, trained)).toList();
  }

  private static Sequence sample(CapturedAnswer end, BitSet trained) {
    int prompt = end.question().tokens().length;
    int length = prompt + end.response().tokens().length;
    int[] tokens = Arrays.copyOf(end.question().tokens(), length);
    System.arraycopy(end.response().tokens(), 0, tokens, prompt, length - prompt);
    int[] turns = new int[length];
    double[] logProbs = new double[length];
    long[] versions = new long[length];
    Arrays.fill(turns, -1);
    Arrays.fill(versions, -1);
    for (CapturedAnswer answer : branch(end)) {
      if (trained.get(answer.number())) {
        continue;
      }
      trained.set(answer.number());
      int from = answer.question().tokens().length;
      int written = answer.response().tokens().length;
      Arrays.fill(turns, from, from + written, answer.number());
      System.arraycopy(answer.response().logProbs(), 0, logProbs, from, written);
      System.arraycopy(answer.response().weightVersions(), 0, versions, from, written);
    }
    return new Sequence(tokens, turns, logProbs, versions);
  }

  /** The answers that {@code end} continues, the first one first, and itself. */
  private static List<CapturedAnswer> branch(CapturedAnswer end) {
    List<CapturedAnswer> branch = new ArrayList<>();
    for (@Nullable CapturedAnswer at = end; at != null; at = at.question().before()) {
      branch.add(at);
    }
    return branch.reversed();
  }
}
