package roll.reward.code;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tests of an answer in a question's row.
 *
 * @param prompt the beginning of the program; empty for a complete program
 * @param checks programs that run after the answer and fail if it is wrong
 * @param cases inputs and expected outputs
 */
record TestCases(String prompt, List<String> checks, List<Case> cases) {
  /**
   * An input and its expected output.
   *
   * @param input standard input
   * @param output expected output, ignoring white space at line ends
   */
  record Case(String input, String output) {}

  /**
   * Reads the tests in {@code facts}: HumanEval's {@code test}, {@code entry_point} and {@code
   * prompt}; otherwise {@code tests}, {@code test_cases} or {@code test_list} with assertions or
   * mappings of {@code input} and {@code output}.
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

  /** Returns the number of test cases. */
  int count() {
    return checks.size() + cases.size();
  }
}
