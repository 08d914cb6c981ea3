package roll.reward.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import roll.api.sandbox.SandboxLimits;
import roll.sandbox.python_process.ProcessSandbox;

/** Rows in each form of ROLL's code data sets, with a program that passes and one that does not. */
@Tag("processes")
class SandboxTestsTest {
  private static final SandboxLimits LIMITS =
      new SandboxLimits(Duration.ofSeconds(60), 256L << 20, 1000);

  @AutoClose private static final ProcessSandbox PROCESSES = new ProcessSandbox();

  @BeforeEach
  void onlyWithPython() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "skipped: no /usr/bin/python3");
  }

  private static double share(Map<String, Object> facts, String response) throws Exception {
    SandboxTests tests = SandboxTests.of(facts, response);
    return new TestedProgram(PROCESSES, LIMITS, tests.program()).share(tests.tests());
  }

  private static String block(String program) {
    return "<think>```python\ndef f(x): pass\n```</think>So:\n```python\n" + program + "\n```";
  }

  @Test
  void assertionsAndTestFunctions() throws Exception {
    Map<String, Object> facts =
        Map.of(
            "case_type",
            "pytest",
            "test_cases",
            "[{\"assert_code\": \"def test_one():\\n    assert f(4) == 2\\n\"},"
                + " {\"assert_code\": \"assert f(9) == 3\"}]");
    assertEquals(1, share(facts, block("def f(x): return sqrt(x)")));
    assertEquals(0.5, share(facts, block("def f(x): return 3")));
    assertEquals(0, share(facts, block("def f(x) return 3")));
  }

  @Test
  void inputsAndOutputs() throws Exception {
    Map<String, Object> facts =
        Map.of(
            "case_type",
            "input",
            "test_case_function",
            "None",
            "test_cases",
            List.of(Map.of("stdin", "3\n4\n", "expected_stdout", "7\n")));
    assertEquals(1, share(facts, block("print(int(input()) + int(input()))")));
    assertEquals(0, share(facts, block("print(int(input()))")));
  }

  @Test
  void functionsWithJsonArguments() throws Exception {
    Map<String, Object> facts =
        Map.of(
            "test_case_function",
            "add",
            "test_cases",
            List.of(Map.of("stdin", "[1, 2]\n3\n", "expected_stdout", "[4, 5]")));
    String function = "def add(%s): return tuple(a + b for a in x)";
    assertEquals(1, share(facts, block(function.formatted("x, b"))));
    assertEquals(0, share(facts, block(function.formatted("x, b=1, c=2").replace("+", "-"))));
    assertEquals(
        1, share(facts, "```python\nclass Solution:\n    def add(self, x, b): return [4, 5]\n```"));
  }

  @Test
  void checksByAFunction() throws Exception {
    Map<String, Object> facts =
        Map.of(
            "case_type",
            "check_based",
            "test_cases",
            List.of(
                Map.of(
                    "assert_code",
                    "def check(g):\n    assert g(1) == 1\n    assert g(2) == 4\n",
                    "entry_point",
                    "f")));
    assertEquals(1, share(facts, block("def f(x): return x * x")));
    assertEquals(0.5, share(facts, block("def f(x): return x")));
  }

  @Test
  void theTextItself() throws Exception {
    Map<String, Object> facts =
        Map.of("case_type", "text", "test_cases", List.of("assert len({response}) == 3"));
    assertEquals(1, share(facts, "it's 1?</think>a\"b"));
    assertEquals(0, share(facts, "four"));
  }

  @Test
  void theFirstBlockWithAFunctionIsTheProgram() {
    String two = "```python\nx\n```\n```\ndef f(): pass\n```\n```\ndef g(): pass\n```";
    assertEquals("def f(): pass\n", end(two));
    assertEquals("x\n", end("```python\nx\n```\n```\ny\n```"));
    assertEquals("x = 1", end("x = 1\n"));
  }

  private static String end(String response) {
    String program = SandboxTests.of(Map.of(), response).program();
    String last = "sys.setrecursionlimit(6*10**5)\n";
    return program.substring(program.indexOf(last) + last.length());
  }
}
