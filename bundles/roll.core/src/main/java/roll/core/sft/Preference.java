package roll.core.sft;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A pair of answers to a prompt, or a single answer with a label.
 *
 * @param answer the chosen one of a pair
 * @param rejected the other one of a pair; null for a single answer
 * @param desirable label of a single answer; true for a pair
 * @param margin how much better the chosen one of a pair is; 0 if unknown
 */
record Preference(
    Demonstration answer, @Nullable Demonstration rejected, boolean desirable, double margin) {
  /** Creates a pair. */
  static Preference pair(Demonstration chosen, Demonstration rejected) {
    return new Preference(chosen, rejected, true, 0);
  }

  /** Returns a single answer for each of the pair. */
  Stream<Preference> singles() {
    return rejected == null
        ? Stream.of(this)
        : Stream.of(
            new Preference(answer, null, true, 0), new Preference(rejected, null, false, 0));
  }
}
