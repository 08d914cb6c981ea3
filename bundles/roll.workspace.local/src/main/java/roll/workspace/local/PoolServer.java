package roll.workspace.local;

import static roll.workspace.local.WorkspaceChannel.bytes;

import java.io.IOException;
import java.nio.file.Path;
import roll.api.option.UserException;
import roll.api.workspace.WorkspaceLimits;
import roll.sandbox.IsolationReport;
import roll.sandbox.IsolationServer;

/** The process that makes the workspaces of a pool. They end with it, and it ends with this JVM. */
final class PoolServer implements AutoCloseable {
  private static final IsolationReport.Names NAMES =
      new IsolationReport.Names("workspace", "local", "commands");
  private final IsolationServer server;
  private final IsolationReport report;

  private PoolServer(IsolationServer server, IsolationReport report) {
    this.server = server;
    this.report = report;
  }

  /**
   * Starts a server.
   *
   * @throws UserException if it cannot be started, or this machine lacks the isolation
   */
  static PoolServer start(LaunchOptions launch, WorkspaceLimits limits) {
    launch.check();
    IsolationServer server =
        IsolationServer.start(NAMES, "roll-workspace", folder -> launch.start(folder, limits));
    try {
      IsolationReport report = IsolationReport.of(NAMES, server.greeting());
      report.require(limits.isolation(), "");
      return new PoolServer(server, report);
    } catch (UserException e) {
      server.close();
      throw e;
    }
  }

  /** Returns a description of the isolation of commands. */
  IsolationReport report() {
    return report;
  }

  /** Returns whether the process runs. */
  boolean lives() {
    return server.lives();
  }

  /** Begins to make a workspace; the first answer of the connection says that it is made. */
  WorkspaceChannel prepare() throws IOException {
    WorkspaceChannel channel = new WorkspaceChannel(server.connect());
    try {
      channel.send("workspace");
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Copies {@code folder} as template {@code number}. */
  void addTemplate(int number, Path folder) throws IOException {
    try (WorkspaceChannel channel = new WorkspaceChannel(server.connect())) {
      channel.ask("add", bytes(number), bytes(folder.toString()));
    }
  }

  /** Deletes template {@code number}. */
  void dropTemplate(int number) throws IOException {
    try (WorkspaceChannel channel = new WorkspaceChannel(server.connect())) {
      channel.ask("drop", bytes(number));
    }
  }

  /** Ends all workspaces. */
  @Override
  public void close() {
    server.close();
  }
}
