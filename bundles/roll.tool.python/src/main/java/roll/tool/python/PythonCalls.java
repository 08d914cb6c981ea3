package roll.tool.python;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.sandbox.Execution;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.SandboxSession;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSession;

/** The calls of one episode, run one after the other in a session that opens with the first. */
final class PythonCalls implements ToolSession {
  private final Sandbox sandbox;
  private final SandboxLimits limits;
  private @Nullable SandboxSession session;

  PythonCalls(Sandbox sandbox, SandboxLimits limits) {
    this.sandbox = sandbox;
    this.limits = limits;
  }

  @Override
  public synchronized ToolResult call(String tool, Map<String, Object> arguments)
      throws InterruptedException {
    if (session == null) {
      session = sandbox.open(limits);
    }
    Execution execution = session.run(String.valueOf(arguments.get(PythonTool.CODE)));
    if (execution.done()) {
      return ToolResult.of(execution.output().strip());
    }
    String error = (execution.output() + execution.error()).strip();
    return ToolResult.error(error);
  }

  @Override
  public synchronized void close() {
    if (session != null) {
      session.close();
      session = null;
    }
  }
}
