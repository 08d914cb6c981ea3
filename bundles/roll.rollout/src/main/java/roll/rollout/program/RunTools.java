package roll.rollout.program;

import java.util.List;
import java.util.Map;
import roll.api.agent.AgentTools;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;
import roll.rollout.action.ToolExecutor;
import roll.rollout.supervise.EpisodeTrace;
import roll.runtime.trace.Span;

/** The tools of {@code agent.tools} that a program may call, one call at a time. */
final class RunTools implements AutoCloseable {
  private final AgentTools kit;
  private final ToolExecutor executor;
  private final EpisodeTrace trace;
  private int failed;
  private int refused;

  /**
   * Creates the tools of {@code kit}.
   *
   * @param seed for tools that use random numbers
   * @param trace the spans of the episode
   */
  RunTools(AgentTools kit, long seed, EpisodeTrace trace) {
    this.kit = kit;
    this.trace = trace;
    this.executor = new ToolExecutor(kit, seed);
  }

  /** Returns the schemas of the tools. */
  List<ToolSchema> schemas() {
    return kit.tools();
  }

  /**
   * Executes a call and returns its result as text for the model.
   *
   * @param span of the program's request
   */
  synchronized String call(String tool, Map<String, Object> arguments, Span span)
      throws InterruptedException {
    ToolExecutor.Outcome outcome;
    trace.calls(span);
    try {
      outcome = executor.execute(List.of(ToolCall.of(tool, arguments))).getFirst();
    } finally {
      trace.calls(null);
    }
    failed += outcome.end() == ToolExecutor.End.FAILED ? 1 : 0;
    refused += outcome.end() == ToolExecutor.End.REFUSED ? 1 : 0;
    return outcome.observation();
  }

  /** Returns the number of refused calls. */
  synchronized int refused() {
    return refused;
  }

  /** Returns the number of failed calls. */
  synchronized int failed() {
    return failed;
  }

  @Override
  public synchronized void close() {
    executor.close();
  }
}
