package roll.reward.guideline;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A word problem of two steps.
 *
 * @param name the person
 * @param thing the counted thing
 * @param first initial number
 * @param one verb of the first step
 * @param second number of the first step
 * @param two verb of the second step
 * @param third number of the second step
 */
record Story(String name, String thing, int first, Verb one, int second, Verb two, int third) {
  private static final List<String> NAMES =
      List.of("Ann", "Ben", "Eva", "Tom", "Mia", "Leo", "Ida", "Max");
  private static final List<String> THINGS =
      List.of("figs", "nuts", "buns", "pies", "pears", "plums", "cakes", "tarts");

  /** Returns a random problem whose numbers never become negative. */
  static Story draw(RandomGenerator random) {
    while (true) {
      Story story =
          new Story(
              any(NAMES, random),
              any(THINGS, random),
              random.nextInt(2, 10),
              any(Verb.ALL, random),
              random.nextInt(2, 6),
              any(Verb.ALL, random),
              random.nextInt(2, 6));
      if (story.isPossible()) {
        return story;
      }
    }
  }

  private static <T> T any(List<T> all, RandomGenerator random) {
    return all.get(random.nextInt(all.size()));
  }

  private boolean isPossible() {
    int between = one.means().of(first, second);
    return !(one.means() == Operation.SUBTRACT && second > first)
        && !(two.means() == Operation.SUBTRACT && third > between);
  }

  /** Returns the question. */
  String text() {
    return "%s has %d %s, %s %d and %s %d."
        .formatted(name, first, thing, one.words(), second, two.words(), third);
  }

  /** Returns the operations of its verbs. */
  List<Operation> meaning() {
    return List.of(one.means(), two.means());
  }

  /** Returns the correct answer. */
  int answer() {
    return two.means().of(one.means().of(first, second), third);
  }

  /** Returns the solver's text for two {@code steps}. */
  String worked(List<Operation> steps) {
    int between = steps.getFirst().of(first, second);
    return steps.getFirst().written(first, second) + ", " + steps.getLast().written(between, third);
  }

  /**
   * Returns whether this pair of verbs is reserved for validation: about a quarter of all pairs.
   */
  boolean isForValidation() {
    int pair = Verb.ALL.indexOf(one) * Verb.ALL.size() + Verb.ALL.indexOf(two);
    return pair * 7 % 19 % 4 == 1;
  }
}
