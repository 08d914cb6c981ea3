package roll.reward.guideline;

import java.util.List;
import java.util.stream.Stream;

/**
 * A verb of a word problem.
 *
 * @param words the words before the number
 * @param means its operation
 * @param plain whether solver and warm-started planner learn its meaning
 */
record Verb(String words, Operation means, boolean plain) {
  /** Six verbs for each operation, the first two plain. */
  static final List<Verb> ALL =
      Stream.of(
              six(Operation.ADD, "finds", "buys", "gets", "wins", "picks", "makes"),
              six(Operation.SUBTRACT, "loses", "eats", "sells", "drops", "burns", "wastes"),
              six(
                  Operation.MULTIPLY,
                  "trades each for",
                  "cuts each into",
                  "swaps each for",
                  "splits each into",
                  "breaks each into",
                  "turns each into"))
          .flatMap(List::stream)
          .toList();

  private static List<Verb> six(Operation means, String... verbs) {
    List<String> all = List.of(verbs);
    return all.stream().map(verb -> new Verb(verb, means, all.indexOf(verb) < 2)).toList();
  }
}
