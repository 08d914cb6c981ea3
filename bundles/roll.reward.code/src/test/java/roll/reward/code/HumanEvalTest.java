package roll.reward.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.sandbox.python.PythonSandbox;
import roll.sandbox.python_process.ProcessSandbox;

/** The reference solutions of HumanEval pass, empty ones fail. */
@Tag("processes")
class HumanEvalTest {
  private static final Path ROWS =
      Path.of(System.getProperty("roll.root"), "../shared/data/code/humaneval-first40.jsonl");
  private static final SandboxLimits LIMITS =
      new SandboxLimits(Duration.ofSeconds(60), 256L << 20, 1000);

  /** One folder for all tests of a JVM, since the language reads its path once. */
  private static final Path CACHE = Path.of("target", "graalpy");

  @AutoClose private static final ProcessSandbox PROCESSES = new ProcessSandbox();

  @BeforeEach
  void onlyWithPython() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "skipped: no /usr/bin/python3");
  }

  @Test
  void knownSolutionsPassAndEmptyOnesDoNot() throws Exception {
    solutionsAreGraded(PROCESSES, Integer.MAX_VALUE);
  }

  /** Some solutions pass in the slower sandbox too. */
  @Test
  void theyAreGradedInThisProcessToo() throws Exception {
    PythonSandbox sandbox = new PythonSandbox(CACHE);
    try {
      solutionsAreGraded(sandbox, 5);
    } finally {
      sandbox.close();
    }
  }

  private static void solutionsAreGraded(Sandbox sandbox, int most) throws Exception {
    assumeTrue(Files.exists(ROWS), () -> "skipped: no " + ROWS);
    List<String> rows = Files.readAllLines(ROWS);
    assertFalse(rows.isEmpty());
    for (String row : rows.subList(0, Math.min(most, rows.size()))) {
      Map<String, Object> facts = new Gson().fromJson(row, new TypeToken<Map<String, Object>>() {});
      String prompt = (String) facts.get("prompt");
      String body = (String) facts.get("canonical_solution");
      assertEquals(1, share(sandbox, facts, prompt + body), row);
      assertEquals(1, share(sandbox, facts, "```python\n" + body + "```"), row);
      assertEquals(0, share(sandbox, facts, "    pass\n"), row);
      assertEquals(0, share(sandbox, facts, prompt + "    return None\n"), row);
    }
  }

  /** A program that ends the interpreter does not pass. */
  @Test
  void aProgramThatEndsTheTestsDoesNotPass() throws Exception {
    Map<String, Object> facts = Map.of("tests", List.of("f()\nassert False"));
    for (String ending : List.of("raise SystemExit(0)", "import os; os._exit(0)", "exit()")) {
      assertEquals(0, share(PROCESSES, facts, "def f():\n    " + ending + "\n"), ending);
    }
  }

  @Test
  void whatItReadsAndPrintsIsCompared() throws Exception {
    List<Map<String, String>> cases =
        List.of(
            Map.of("input", "3\n4\n", "output", "7\n"),
            Map.of("input", "1\n-1\n", "output", "0"),
            Map.of("input", "1\n1\n", "output", "3"));
    String program = "a = int(input())\nb = int(input())\nprint(a + b)";
    assertEquals(2.0 / 3, share(PROCESSES, Map.of("test_cases", cases), program), 1e-12);
  }

  private static double share(Sandbox sandbox, Map<String, Object> facts, String response)
      throws Exception {
    return new TestedProgram(sandbox, LIMITS, PythonSource.in(response)).share(TestCases.of(facts));
  }
}
