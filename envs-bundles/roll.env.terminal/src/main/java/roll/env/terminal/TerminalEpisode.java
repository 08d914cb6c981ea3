package roll.env.terminal;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.env.Episode;
import roll.api.env.HarnessWorkspace;
import roll.api.env.Step;
import roll.api.tool.ToolResult;
import roll.api.workspace.Workspace;
import roll.env.terminal.Verifier.Verdict;
import roll.env.terminal.task.TerminalTask;

/** An agent at work on a task. Methods wait for a call that was given up but still runs. */
final class TerminalEpisode implements Episode {
  private static final Logger LOG = LoggerFactory.getLogger("roll.env.terminal");

  private final TerminalTask task;
  private final Workspace workspace;
  private final WorkspaceTools tools;
  private final Verifier verifier;
  private final Semaphore slots;
  private Duration used = Duration.ZERO;
  private boolean lost;
  private boolean over;

  /**
   * Creates an episode.
   *
   * @param slots of commands at a time; to wait for one takes no time of the task
   */
  TerminalEpisode(
      TerminalTask task,
      Workspace workspace,
      WorkspaceTools tools,
      Verifier verifier,
      Semaphore slots) {
    this.task = task;
    this.workspace = workspace;
    this.tools = tools;
    this.verifier = verifier;
    this.slots = slots;
  }

  /** Returns the task's instruction, also after the end. */
  @Override
  public String observation() {
    return task.instruction();
  }

  @Override
  public Map<String, Object> facts() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("task", task.name());
    if (!task.demonstration().isEmpty()) {
      facts.put("demonstration", task.demonstration());
    }
    return facts;
  }

  @Override
  public synchronized ToolResult call(String tool, Map<String, Object> arguments)
      throws InterruptedException {
    if (used.compareTo(task.time()) >= 0) {
      return ToolResult.error("The time limit of the task is used up.");
    }
    slots.acquire();
    long since = System.nanoTime();
    try {
      return tools.call(tool, arguments);
    } catch (IOException e) {
      return ToolResult.error("The workspace is lost: " + e.getMessage());
    } catch (InterruptedException e) {
      lost = true;
      throw e;
    } finally {
      used = used.plusNanos(System.nanoTime() - since);
      slots.release();
    }
  }

  @Override
  public Optional<HarnessWorkspace> workspace() {
    return Optional.of(new HarnessWorkspace(workspace, task.environment()));
  }

  /** Ends the episode: whatever the agent says, the tests decide. */
  @Override
  public synchronized Step step(String response) {
    if (over) {
      throw new IllegalStateException("the episode is over");
    }
    over = true;
    try {
      Verdict verdict = verdict();
      Map<String, Double> metrics = new LinkedHashMap<>(verdict.metrics());
      metrics.put(Step.SUCCESS, verdict.reward() >= 1 ? 1.0 : 0.0);
      metrics.put("verifier_failed", verdict.failed() ? 1.0 : 0.0);
      return new Step(task.instruction(), verdict.reward(), true, false, metrics);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("the tests were interrupted");
    }
  }

  /** An agent may have ended its own workspace, so that earns nothing, not another attempt. */
  private Verdict verdict() throws InterruptedException {
    slots.acquire();
    try {
      return lost ? Verdict.FAILED : verifier.verify(workspace);
    } catch (IOException e) {
      LOG.warn("{}: its workspace is lost before its tests: {}", task.name(), e.getMessage());
      return Verdict.FAILED;
    } finally {
      slots.release();
    }
  }

  @Override
  public synchronized void close() {
    workspace.close();
  }
}
