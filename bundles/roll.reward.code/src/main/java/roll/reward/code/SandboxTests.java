package roll.reward.code;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.text.chat.JsonText;

/**
 * The program of a response and its tests in the form of ROLL's code data sets, as in {@code
 * cal_local_test} of {@code
 * alibaba/ROLL@8eb27cc2:roll/pipeline/rlvr/rewards/code_sandbox_reward_worker.py}.
 */
record SandboxTests(String program, TestCases tests) {
  private static final String THOUGHTS = "</think>";
  private static final String SOLUTION = "<|begin_of_solution|>";
  private static final Pattern BLOCK =
      Pattern.compile("```([\\w+#.-]*)\\s*\\n*(.*?)```", Pattern.DOTALL);
  private static final Pattern TEST = Pattern.compile("(?m)^\\s*def (test_\\w*)");

  private static final List<String> MODULES =
      List.of(
          "string",
          "re",
          "datetime",
          "collections",
          "heapq",
          "bisect",
          "copy",
          "math",
          "random",
          "statistics",
          "itertools",
          "functools",
          "operator",
          "io",
          "sys",
          "json",
          "builtins",
          "typing");

  /** Imports that the programs of these data sets lack. */
  private static final String IMPORTS =
      MODULES.stream()
              .map("from %s import *\n"::formatted)
              .collect(Collectors.joining("", "", "import " + String.join(", ", MODULES) + "\n"))
          + "from math import inf\nsys.setrecursionlimit(6*10**5)\n";

  /** Returns the tests of {@code facts} for {@code response}. */
  static SandboxTests of(Map<String, Object> facts, String response) {
    String said = behind(behind(response, SOLUTION), THOUGHTS);
    String type = String.valueOf(facts.get("case_type"));
    List<Map<?, ?>> cases = cases(facts.get("test_cases"));
    return switch (type) {
      case "text" -> text(said, cases);
      case "assert", "pytest" ->
          new SandboxTests(
              IMPORTS + program(said),
              checks(cases.stream().map(one -> called(text(one, "assert_code"))).toList()));
      case "check_based" -> based(program(said), cases);
      default -> printed(program(said), cases, facts.get("test_case_function"));
    };
  }

  private static String behind(String text, String mark) {
    int last = text.lastIndexOf(mark);
    return last < 0 ? text : text.substring(last + mark.length()).strip();
  }

  /** The first block that defines a function, otherwise the first, without blocks all. */
  private static String program(String text) {
    List<String> blocks = new ArrayList<>();
    for (Matcher block = BLOCK.matcher(text); block.find(); ) {
      blocks.add(block.group(2));
    }
    return blocks.stream()
        .filter(block -> block.contains("def "))
        .findFirst()
        .orElseGet(
            () -> blocks.isEmpty() ? text.contains("```") ? "" : text.strip() : blocks.getFirst());
  }

  private static List<Map<?, ?>> cases(@Nullable Object value) {
    Object read = JsonText.parsed(value);
    List<Map<?, ?>> cases = new ArrayList<>();
    for (Object one : read instanceof List<?> list ? list : List.of()) {
      cases.add(
          one instanceof Map<?, ?> mapping ? mapping : Map.of("assert_code", String.valueOf(one)));
    }
    return cases;
  }

  private static String text(Map<?, ?> test, String key) {
    return Objects.toString(test.get(key), "");
  }

  private static TestCases checks(List<String> checks) {
    return new TestCases("", checks, List.of());
  }

  /** Assertions about the response itself, which is in the place of {@code {response}}. */
  private static SandboxTests text(String response, List<Map<?, ?>> cases) {
    String literal = PythonSource.literal(response);
    return new SandboxTests(
        "pass",
        checks(
            cases.stream()
                .map(one -> text(one, "assert_code").replace("{response}", literal))
                .toList()));
  }

  /** Returns {@code code} with calls of the test functions that it defines. */
  private static String called(String code) {
    StringBuilder all = new StringBuilder(code).append('\n');
    TEST.matcher(code).results().forEach(test -> all.append(test.group(1)).append("()\n"));
    return all.toString();
  }

  /** Each line of the first case after its first one is a test by a function {@code check}. */
  private static SandboxTests based(String program, List<Map<?, ?>> cases) {
    Map<?, ?> test = cases.isEmpty() ? Map.of() : cases.getFirst();
    List<String> lines = text(test, "assert_code").lines().filter(line -> !line.isEmpty()).toList();
    Object entry = test.get("entry_point");
    String call = "\ncheck(%s)\n".formatted(entry == null ? "candidate" : entry);
    List<String> checks =
        lines.size() == 1
            ? List.of(lines.getFirst() + call)
            : IntStream.range(1, lines.size())
                .mapToObj(i -> lines.getFirst() + "\n" + lines.get(i) + call)
                .toList();
    return new SandboxTests(text(test, "import_prefix") + IMPORTS + program, checks(checks));
  }

  /** Inputs and outputs: of a function with JSON arguments by line, or of the whole program. */
  private static SandboxTests printed(
      String program, List<Map<?, ?>> cases, @Nullable Object function) {
    String name = Objects.toString(function, "");
    if (name.isEmpty() || name.equals("None")) {
      return new SandboxTests(
          IMPORTS + program,
          new TestCases(
              "",
              List.of(),
              cases.stream()
                  .map(one -> new TestCases.Case(text(one, "stdin"), text(one, "expected_stdout")))
                  .toList()));
    }
    return new SandboxTests(
        IMPORTS + program,
        checks(
            cases.stream()
                .map(
                    one ->
                        """
                        import json
                        _f = getattr(Solution(), '%1$s') if 'Solution' in globals() else %1$s
                        _x = [json.loads(line) for line in %2$s.split('\\n')]
                        assert json.loads(json.dumps(_f(*_x))) == json.loads(%3$s)
                        """
                            .formatted(
                                name,
                                PythonSource.literal(text(one, "stdin").strip()),
                                PythonSource.literal(text(one, "expected_stdout"))))
                .toList()));
  }
}
