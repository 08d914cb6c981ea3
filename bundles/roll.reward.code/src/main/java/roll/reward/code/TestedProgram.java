package roll.reward.code;

import java.util.UUID;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;

/**
 * A program under test.
 *
 * @param limits limits of each run
 */
record TestedProgram(Sandbox sandbox, SandboxLimits limits, String program) {
  /** Returns the share of {@code tests} passed; without tests 1 if it runs, otherwise 0. */
  double share(TestCases tests) throws InterruptedException {
    if (program.isBlank()) {
      return 0;
    }
    if (tests.count() == 0) {
      try (SandboxSession session = sandbox.open(limits)) {
        return session.run(program).done() ? 1 : 0;
      }
    }
    return (double) (checked(tests) + printed(tests)) / tests.count();
  }

  /** Returns the number of checks passed; after a check that was stopped, the rest fail. */
  private int checked(TestCases tests) throws InterruptedException {
    if (tests.checks().isEmpty()) {
      return 0;
    }
    int passed = 0;
    try (SandboxSession session = sandbox.open(limits)) {
      if (!session.run(tests.prompt() + "\n" + program).done()) {
        return 0;
      }
      for (String check : tests.checks()) {
        // a program that ends the interpreter during a test does not print the mark
        String mark = UUID.randomUUID().toString();
        Execution execution = session.run(check + "\nprint(" + PythonSource.literal(mark) + ")\n");
        if (execution.done() && execution.output().endsWith(mark + "\n")) {
          passed++;
        } else if (stopped(execution)) {
          break;
        }
      }
    }
    return passed;
  }

  private static boolean stopped(Execution execution) {
    return execution.outcome() == Outcome.TIMEOUT || execution.outcome() == Outcome.MEMORY;
  }

  /** Returns the number of cases with the expected output, each in its own session. */
  private int printed(TestCases tests) throws InterruptedException {
    int passed = 0;
    for (TestCases.Case test : tests.cases()) {
      try (SandboxSession session = sandbox.open(limits)) {
        session.run(
            "import io, sys\nsys.stdin = io.StringIO(" + PythonSource.literal(test.input()) + ")");
        Execution execution =
            session.run(program + "\npass\n"); // suppresses the value of a last expression
        if (execution.done() && lines(execution.output()).equals(lines(test.output()))) {
          passed++;
        } else if (stopped(execution)) {
          break;
        }
      }
    }
    return passed;
  }

  private static String lines(String output) {
    return String.join("\n", output.lines().map(String::stripTrailing).toList()).strip();
  }
}
