package roll.sandbox.python_process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.sandbox.Isolation;

/**
 * A python3 process that forks a process per session. It ends when its standard input closes, and
 * so with this JVM; all sessions end with it.
 */
final class ForkServer implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration END = Duration.ofSeconds(5);

  /**
   * Folder of sockets if the path of the temporary folder is too long: a socket's name has at most
   * 107 bytes.
   */
  private static final Path SHORT = Path.of("/tmp");

  private static final int LONG = 90;
  private final Process process;
  private final Path socket;
  private final IsolationReport boundaries;
  private final AtomicLong sessions = new AtomicLong();

  private ForkServer(Process process, Path socket, IsolationReport boundaries) {
    this.process = process;
    this.socket = socket;
    this.boundaries = boundaries;
  }

  /**
   * Starts a server and waits until it accepts sessions.
   *
   * @throws UserException if it cannot be started
   */
  static ForkServer start(LaunchCommand launch, Isolation isolation) {
    launch.check();
    try {
      Path socket = folder().resolve("sessions");
      Process process = launch.start(isolation, socket);
      try {
        return new ForkServer(process, socket, IsolationReport.of(firstLine(process)));
      } catch (UserException e) {
        end(process, socket);
        throw e;
      }
    } catch (IOException e) {
      throw failed(e.getMessage());
    }
  }

  private static UserException failed(@Nullable String why) {
    return new UserException("the sandbox 'python_process' did not start: " + why);
  }

  private static Path folder() throws IOException {
    String name = "roll-python-process";
    Path folder = Files.createTempDirectory(name);
    if (folder.toString().length() <= LONG) {
      return folder;
    }
    Files.delete(folder);
    return Files.createTempDirectory(SHORT, name);
  }

  /** Returns the server's first line of output, or its last line of errors if it ended. */
  private static String firstLine(Process process) {
    FutureTask<@Nullable String> line = new FutureTask<>(process.inputReader()::readLine);
    Thread.ofVirtual().start(line);
    try {
      String said = line.get(START.toSeconds(), TimeUnit.SECONDS);
      if (said == null) {
        throw failed(lastError(process));
      }
      return said;
    } catch (TimeoutException e) {
      throw failed("no answer within " + START.toSeconds() + " s");
    } catch (ExecutionException e) {
      throw failed(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("interrupted");
    }
  }

  private static String lastError(Process process) {
    BufferedReader errors = process.errorReader(StandardCharsets.UTF_8);
    return errors.lines().reduce((_, last) -> last).orElse("it ended without a message");
  }

  /** Returns a description of the isolation of programs. */
  IsolationReport boundaries() {
    return boundaries;
  }

  /** Returns whether the server accepts sessions. */
  boolean lives() {
    return process.isAlive();
  }

  /** Opens a session with a memory limit of {@code memory} bytes; closing it ends its process. */
  ProgramChannel connect(long memory) throws IOException {
    long session = sessions.incrementAndGet();
    SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
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
    OutputStream orders = process.getOutputStream();
    String order = session + (stopped ? " 1\n" : " 0\n");
    orders.write(order.getBytes(StandardCharsets.US_ASCII));
    orders.flush();
  }

  /** Ends the server with all sessions and deletes its folder. */
  @Override
  public void close() {
    end(process, socket);
  }

  private static void end(Process process, Path socket) {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
      Files.deleteIfExists(socket);
      Files.deleteIfExists(Objects.requireNonNull(socket.getParent()));
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
