package roll.reward.guideline;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A word problem of two steps.
 *
 * @param name who
 * @param thing what somebody has
 * @param first how many at the beginning
 * @param one what is done first
 * @param second its number
 * @param two what is done then
 * @param third its number
 */
record Story(String name, String thing, int first, Verb one, int second, Verb two, int third) {
  private static final List<String> NAMES =
      List.of("Ann", "Ben", "Eva", "Tom", "Mia", "Leo", "Ida", "Max");
  private static final List<String> THINGS =
      List.of("figs", "nuts", "buns", "pies", "pears", "plums", "cakes", "tarts");

  /** One by lot in which nobody gives away more than there is. */
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

  /** What is asked. */
  String text() {
    return "%s has %d %s, %s %d and %s %d."
        .formatted(name, first, thing, one.words(), second, two.words(), third);
  }

  /** What the verbs mean. */
  List<Operation> meaning() {
    return List.of(one.means(), two.means());
  }

  /** How many there are in the end. */
  int answer() {
    return two.means().of(one.means().of(first, second), third);
  }

  /** What the solver writes where it does {@code steps}, two of them. */
  String worked(List<Operation> steps) {
    int between = steps.getFirst().of(first, second);
    return steps.getFirst().written(first, second) + ", " + steps.getLast().written(between, third);
  }

  /**
   * Whether these two verbs in this order are kept for validation: about a quarter of all pairs.
   */
  boolean isForValidation() {
    int pair = Verb.ALL.indexOf(one) * Verb.ALL.size() + Verb.ALL.indexOf(two);
    return pair * 7 % 19 % 4 == 1;
  }
}
