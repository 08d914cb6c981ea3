package roll.tool.python;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.option.Options;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Execution.Outcome;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.testkit.InMemoryPluginRegistry;
import roll.testkit.TestOptions;

/** Requests to the sandbox, and results for the model. */
class PythonToolTest {
  private final List<String> seen = new ArrayList<>();
  private final InMemoryPluginRegistry shelf =
      new InMemoryPluginRegistry().with("roll.sandbox", "python_process", new Recording());

  @Test
  void anEpisodeIsASession() throws Exception {
    PythonTool tool = new CodeInterpreter(shelf);
    Map<String, Object> given = Map.of("time_limit", 2.5, "memory_limit", 64, "output_limit", 99);
    assertEquals("python_process", tool.uses(options(tool, given)).getFirst().name());
    try (ToolSet set = tool.configure(options(tool, given))) {
      assertEquals("code_interpreter", set.tools().getFirst().name());
      assertEquals(List.of("code"), set.tools().getFirst().required());
      try (ToolSession first = set.open(1)) {
        ToolSession unused = set.open(2);
        unused.close();
        assertEquals(ToolResult.of("ran x = 1"), call(first, "x = 1"));
        assertEquals(ToolResult.error("ran 1/0\nZeroDivisionError"), call(first, "1/0"));
      }
    }
    assertEquals(
        List.of(
            "open " + new SandboxLimits(Duration.ofMillis(2500), 64L << 20, 99),
            "x = 1",
            "1/0",
            "close"),
        seen);
    assertEquals(0, shelf.leased());
  }

  @Test
  void theSchemaHasTheConfiguredName() {
    PythonTool tool = new PythonExecutor(shelf);
    assertEquals(
        "python_executor", tool.configure(options(tool, Map.of())).tools().getFirst().name());
  }

  @Test
  void aSandboxThatIsNotThereIsRefused() {
    PythonTool tool = new CodeInterpreter(new InMemoryPluginRegistry());
    assertEquals(
        "tool_config.code_interpreter.sandbox: no roll.sandbox 'python_process' is registered"
            + " (registered: none)",
        userError(() -> tool.configure(options(tool, Map.of()))));
  }

  private static ToolResult call(ToolSession session, String code) throws InterruptedException {
    return session.call("code_interpreter", Map.of("code", code));
  }

  private static Options options(PythonTool tool, Map<String, Object> given) {
    return TestOptions.of("tool_config.code_interpreter", given, tool.options());
  }

  private final class Recording implements Sandbox {
    @Override
    public String description() {
      return "records";
    }

    @Override
    public SandboxSession open(SandboxLimits limits) {
      seen.add("open " + limits);
      return new SandboxSession() {
        @Override
        public Execution run(String program) {
          seen.add(program);
          return program.equals("1/0")
              ? new Execution(Outcome.FAILED, "ran 1/0\n", "ZeroDivisionError")
              : new Execution(Outcome.DONE, "ran " + program + "\n", "");
        }

        @Override
        public void close() {
          seen.add("close");
        }
      };
    }
  }
}
