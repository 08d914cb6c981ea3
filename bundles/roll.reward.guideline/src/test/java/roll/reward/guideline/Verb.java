package roll.reward.guideline;

import java.util.List;
import java.util.stream.Stream;

/**
 * What somebody in a story does.
 *
 * @param words what stands before the number
 * @param means what it does to how many there are
 * @param plain whether the solver is taught what it means, and the planner before it is trained
 */
record Verb(String words, Operation means, boolean plain) {
  /** Six for each operation; the first two of them are plain. */
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
