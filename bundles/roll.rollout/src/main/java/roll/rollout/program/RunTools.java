package roll.rollout.program;

import java.util.List;
import java.util.Map;
import roll.api.agent.AgentTools;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;
import roll.rollout.action.ToolExecutor;

/** The tools of the run that a program may call, one call at a time. */
final class RunTools implements AutoCloseable {
  private final AgentTools kit;
  private final ToolExecutor executor;
  private int made;
  private int failed;
  private int refused;

  /**
   * Those of {@code kit}.
   *
   * @param seed of what depends on chance
   */
  RunTools(AgentTools kit, long seed) {
    this.kit = kit;
    this.executor = new ToolExecutor(kit, seed);
  }

  /** What they are. */
  List<ToolSchema> schemas() {
    return kit.tools();
  }

  /** What came of a call, for the model to read. */
  synchronized String call(String tool, Map<String, Object> arguments) throws InterruptedException {
    ToolExecutor.Outcome outcome =
        executor.execute(List.of(ToolCall.of(tool, arguments))).getFirst();
    made++;
    failed += outcome.end() == ToolExecutor.End.FAILED ? 1 : 0;
    refused += outcome.end() == ToolExecutor.End.REFUSED ? 1 : 0;
    return outcome.observation();
  }

  /** How many calls could not be made. */
  synchronized int refused() {
    return refused;
  }

  /** How many calls were made and gave an error. */
  synchronized int failed() {
    return failed;
  }

  /** How many were asked for. */
  synchronized int made() {
    return made;
  }

  @Override
  public synchronized void close() {
    executor.close();
  }
}
