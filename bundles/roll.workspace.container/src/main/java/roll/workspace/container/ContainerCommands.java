package roll.workspace.container;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import roll.api.workspace.CommandResult;
import roll.api.workspace.CommandResult.Outcome;
import roll.api.workspace.WorkspaceCommand;

/** Runs commands in a container, one at a time; after each all other processes are ended. */
final class ContainerCommands {
  private static final int KILLED = 137;

  /** The first line of {@code command.sh}; what else is there is of the engine. */
  private static final String BEGUN = "begun\n";

  private final Container container;
  private int exceeded;
  private volatile boolean running;
  private volatile boolean stopped;

  /** Creates the commands of {@code container}. */
  ContainerCommands(Container container) {
    this.container = container;
  }

  /** Runs a command as {@link roll.api.workspace.Workspace#run} does. */
  CommandResult run(WorkspaceCommand command) throws IOException, InterruptedException {
    List<String> options = new ArrayList<>();
    command.environment().forEach((name, value) -> options.add("--env=" + name + "=" + value));
    stopped = false;
    Process process = container.start(options, Scripts.words(List.of("command"), command.words()));
    running = true;
    try {
      process.getOutputStream().close();
      return ended(process, command);
    } catch (InterruptedException e) {
      int unused = container.endAll();
      throw e;
    } finally {
      running = false;
      process.destroyForcibly();
    }
  }

  private CommandResult ended(Process process, WorkspaceCommand command)
      throws IOException, InterruptedException {
    KeptOutput output = new KeptOutput(command.output());
    KeptOutput report = new KeptOutput(1000);
    Thread out = Thread.ofVirtual().start(() -> output.readAll(process.getInputStream()));
    Thread err = Thread.ofVirtual().start(() -> report.readAll(process.getErrorStream()));
    boolean inTime = process.waitFor(command.time().toMillis(), TimeUnit.MILLISECONDS);
    int count = container.endAll();
    int status = process.waitFor();
    out.join();
    err.join();
    if (!report.text().contains(BEGUN)) {
      throw new IOException("the workspace has ended: " + report.text().strip());
    }
    Outcome outcome = stopped ? Outcome.ENDED : Outcome.EXITED;
    if (!inTime) {
      outcome = Outcome.TIMEOUT;
    } else if (count > exceeded) {
      outcome = Outcome.MEMORY;
    }
    exceeded = count;
    return new CommandResult(
        outcome, outcome == Outcome.EXITED ? status : KILLED, output.text(), output.dropped());
  }

  /** Ends the command that runs, if there is one, from any thread. */
  void stop() {
    if (running) {
      stopped = true;
      try {
        int unused = container.endAll();
      } catch (IOException e) {
        // the container has ended, and with it the command
      }
    }
  }
}
