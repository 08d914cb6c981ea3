package roll.sandbox.python_process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import roll.api.option.UserException;
import roll.api.sandbox.Isolation;
import roll.sandbox.IsolationReport;
import roll.sandbox.IsolationServer;

/** A python3 process that forks a process per session. All sessions end with it. */
final class ForkServer implements AutoCloseable {
  private static final IsolationReport.Names NAMES =
      new IsolationReport.Names("sandbox", "python_process", "programs");
  private final IsolationServer server;
  private final IsolationReport boundaries;
  private final AtomicLong sessions = new AtomicLong();

  private ForkServer(IsolationServer server, IsolationReport boundaries) {
    this.server = server;
    this.boundaries = boundaries;
  }

  /**
   * Starts a server and waits until it accepts sessions.
   *
   * @throws UserException if it cannot be started, or programs reach what {@code isolation} forbids
   */
  static ForkServer start(LaunchCommand launch, Isolation isolation) {
    launch.check();
    IsolationServer server =
        IsolationServer.start(
            NAMES,
            "roll-python-process",
            folder -> launch.start(isolation, folder.resolve("socket")));
    try {
      IsolationReport report = IsolationReport.of(NAMES, server.greeting());
      report.require(isolation, ", 'sandbox: python' runs programs in this process");
      return new ForkServer(server, report);
    } catch (UserException e) {
      server.close();
      throw e;
    }
  }

  /** Returns a description of the isolation of programs. */
  IsolationReport boundaries() {
    return boundaries;
  }

  /** Returns whether the server accepts sessions. */
  boolean lives() {
    return server.lives();
  }

  /** Opens a session with a memory limit of {@code memory} bytes; closing it ends its process. */
  ProgramChannel connect(long memory) throws IOException {
    long session = sessions.incrementAndGet();
    SocketChannel channel = server.connect();
    byte[] first = (memory + " " + session + "\n").getBytes(StandardCharsets.US_ASCII);
    try {
      channel.write(ByteBuffer.wrap(first));
    } catch (IOException e) {
      channel.close(); // the server waits for this line
      throw e;
    }
    return new ProgramChannel(channel, stopped -> halt(session, stopped));
  }

  private synchronized void halt(long session, boolean stopped) throws IOException {
    OutputStream orders = server.input();
    String order = session + (stopped ? " 1\n" : " 0\n");
    orders.write(order.getBytes(StandardCharsets.US_ASCII));
    orders.flush();
  }

  /** Ends the server with all sessions and deletes its folder. */
  @Override
  public void close() {
    server.close();
  }
}
