package roll.reward.code;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a question's row says of how its answer is tested.
 *
 * @param prompt what the program continues from; empty where it stands for itself
 * @param checks programs that run after it, and fail where it is wrong
 * @param cases what it reads and what it must print
 */
record TestCases(String prompt, List<String> checks, List<Case> cases) {
  /**
   * One run of the whole program.
   *
   * @param input what it can read
   * @param output what it must print, except for white space at the ends of lines
   */
  record Case(String input, String output) {}

  /**
   * The tests in {@code facts}: {@code test} with {@code entry_point} and {@code prompt}, as
   * HumanEval has them, otherwise {@code tests}, {@code test_cases} or {@code test_list}, which are
   * programs that assert, or mappings with {@code input} and {@code output}.
   */
  static TestCases of(Map<String, Object> facts) {
    if (facts.get("test") instanceof String test
        && facts.get("entry_point") instanceof String entry) {
      String prompt = facts.get("prompt") instanceof String text ? text : "";
      return new TestCases(prompt, List.of(test + "\n\ncheck(" + entry + ")\n"), List.of());
    }
    List<String> checks = new ArrayList<>();
    List<Case> cases = new ArrayList<>();
    for (String name : List.of("tests", "test_cases", "test_list")) {
      Object given = Optional.ofNullable(facts.get(name)).orElse(List.of());
      for (Object test : given instanceof List<?> tests ? tests : List.of(given)) {
        if (test instanceof Map<?, ?> mapping) {
          cases.add(new Case(text(mapping.get("input")), text(mapping.get("output"))));
        } else {
          checks.add(String.valueOf(test));
        }
      }
    }
    return new TestCases("", List.copyOf(checks), List.copyOf(cases));
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : String.valueOf(value);
  }

  /** How many there are. */
  int count() {
    return checks.size() + cases.size();
  }
}
