package roll.rollout.program;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.config.AgentRunnerConfig;
import roll.api.env.HarnessWorkspace;
import roll.api.workspace.CommandResult;
import roll.api.workspace.CommandResult.Outcome;
import roll.api.workspace.Workspace;
import roll.api.workspace.WorkspaceCommand;
import roll.rollout.supervise.EnvironmentException;
import roll.text.OneLine;

/**
 * A harness that runs as a command of the workspace of its episode. If it ends the workspace, it
 * has played: the environment finds the workspace lost.
 */
final class WorkspaceRun implements AgentRun {
  private static final Logger LOG = LoggerFactory.getLogger("roll.rollout.program");
  private static final Duration SETUP = Duration.ofSeconds(30);

  /** {@link AgentSession#serve} has the time limit, which excludes the time of responses. */
  private static final Duration UNLIMITED = Duration.ofDays(30);

  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int MOST_OUTPUT = 1 << 20;
  private static final int LOGGED = 100;

  private final String name;
  private final Workspace workspace;
  private final Thread thread;
  private final CompletableFuture<CommandResult> ended = new CompletableFuture<>();

  private WorkspaceRun(String name, Workspace workspace, WorkspaceCommand command) {
    this.name = name;
    this.workspace = workspace;
    thread =
        Thread.ofVirtual()
            .name(name)
            .start(
                () -> {
                  try {
                    ended.complete(workspace.run(command));
                  } catch (Throwable e) { // reported by result()
                    ended.completeExceptionally(e);
                  }
                });
  }

  /**
   * Writes the files of a harness and starts it.
   *
   * @param name of the episode, for the log
   * @throws EnvironmentException if its home cannot be made
   */
  static WorkspaceRun start(
      String name, HarnessWorkspace place, AgentRunnerConfig config, AgentTask task)
      throws InterruptedException {
    Workspace workspace = place.workspace();
    String[] folders = HarnessTexts.FOLDERS.values().toArray(String[]::new);
    String home =
        setup(workspace, "cd \"$HOME\" && mkdir -p -- \"$@\" && printf %s \"$HOME\"", folders);
    HarnessTexts texts = HarnessTexts.of(config, task, home, workspace.directory());
    for (Map.Entry<Path, String> file : texts.files().entrySet()) {
      String path = file.getKey().toString();
      String unused =
          setup(
              workspace,
              "mkdir -p -- \"${1%/*}\" && printf %s \"$2\" >\"$1\"",
              path,
              file.getValue());
    }
    Map<String, String> variables = new LinkedHashMap<>(place.variables());
    variables.putAll(task.variables());
    variables.putAll(texts.variables());
    return new WorkspaceRun(
        name, workspace, new WorkspaceCommand(texts.command(), variables, UNLIMITED, MOST_OUTPUT));
  }

  private static String setup(Workspace workspace, String script, String... arguments)
      throws InterruptedException {
    List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", script, "sh"));
    words.addAll(List.of(arguments));
    try {
      CommandResult result =
          workspace.run(new WorkspaceCommand(words, Map.of(), SETUP, MOST_OUTPUT));
      if (result.succeeded()) {
        return result.output();
      }
      throw EnvironmentException.of(
          "the home of the program cannot be made: " + result.output().strip());
    } catch (IOException e) {
      throw EnvironmentException.of("the home of the program cannot be made: " + e.getMessage());
    }
  }

  @Override
  public void onEnd(Runnable then) {
    var unused = ended.whenComplete((_, _) -> then.run());
  }

  @Override
  public boolean runs() {
    return !ended.isDone();
  }

  @Override
  public AgentResult result() throws InterruptedException {
    try {
      CommandResult result = ended.get();
      if (result.succeeded()) {
        return AgentResult.NONE;
      }
      String last = result.output().strip();
      last = last.substring(last.lastIndexOf('\n') + 1).strip();
      throw EnvironmentException.of(
          "the program %s%s"
              .formatted(
                  result.outcome() == Outcome.MEMORY
                      ? "exceeded memory_limit"
                      : "exited with status " + result.status(),
                  last.isEmpty() ? "" : ": " + OneLine.of(last)));
    } catch (ExecutionException e) {
      LOG.warn("{}: {}", name, String.valueOf(e.getCause()));
      return AgentResult.NONE;
    }
  }

  /** Ends the command, and logs its output. */
  @Override
  public void close() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      workspace.end(); // has no effect before the command has begun
      try {
        boolean unused = thread.join(PAUSE);
      } catch (InterruptedException e) {
        interrupted = true;
        thread.interrupt(); // loses the workspace, which is no longer needed
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!ended.isCompletedExceptionally()) {
      List<String> lines = ended.join().output().lines().filter(line -> !line.isBlank()).toList();
      for (String line : lines.subList(Math.max(0, lines.size() - LOGGED), lines.size())) {
        LOG.info("{}, output: {}", name, OneLine.of(line));
      }
    }
  }
}
