package roll.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.UserException;

/**
 * A process that forks an isolated process for each that connects to its socket. It ends when its
 * standard input closes, and so with this JVM.
 */
public final class IsolationServer implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration END = Duration.ofSeconds(10);

  /**
   * Parent of folders if the path of the temporary folder is too long: a socket's name has at most
   * 107 bytes.
   */
  private static final Path SHORT = Path.of("/tmp");

  private static final int LONG = 90;
  private final Process process;
  private final Path folder;
  private final String greeting;

  private IsolationServer(Process process, Path folder, String greeting) {
    this.process = process;
    this.folder = folder;
    this.greeting = greeting;
  }

  /** Starts the process of a server. */
  @ConsumerType
  @FunctionalInterface
  public interface Launch {
    /** Starts a process that listens at the file {@code socket} of {@code folder}. */
    Process start(Path folder) throws IOException;
  }

  /**
   * Starts a server and waits for its first line.
   *
   * @param names its names in messages
   * @param folder begin of the name of its temporary folder
   * @throws UserException if it cannot be started
   */
  public static IsolationServer start(IsolationReport.Names names, String folder, Launch launch) {
    try {
      Path made = folder(folder);
      Process process = launch.start(made);
      try {
        return new IsolationServer(process, made, firstLine(names, process));
      } catch (UserException e) {
        end(process, made);
        throw e;
      }
    } catch (IOException e) {
      throw failed(names, e.getMessage());
    }
  }

  private static UserException failed(IsolationReport.Names names, @Nullable String why) {
    return new UserException(names + " did not start: " + why);
  }

  private static Path folder(String name) throws IOException {
    Path folder = Files.createTempDirectory(name);
    if (folder.toString().length() <= LONG) {
      return folder;
    }
    Files.delete(folder);
    return Files.createTempDirectory(SHORT, name);
  }

  /** Returns the server's first line of output, or its last line of errors if it ended. */
  private static String firstLine(IsolationReport.Names names, Process process) {
    FutureTask<@Nullable String> line = new FutureTask<>(process.inputReader()::readLine);
    Thread.ofVirtual().start(line);
    try {
      String said = line.get(START.toSeconds(), TimeUnit.SECONDS);
      if (said == null) {
        throw failed(names, lastError(process));
      }
      return said;
    } catch (TimeoutException e) {
      throw failed(names, "no answer within " + START.toSeconds() + " s");
    } catch (ExecutionException e) {
      throw failed(names, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(names, "interrupted");
    }
  }

  private static String lastError(Process process) {
    BufferedReader errors = process.errorReader(StandardCharsets.UTF_8);
    return errors.lines().reduce((_, last) -> last).orElse("it ended without a message");
  }

  /** Returns its first line of output. */
  public String greeting() {
    return greeting;
  }

  /** Returns whether the process runs. */
  public boolean lives() {
    return process.isAlive();
  }

  /** Connects to it. */
  public SocketChannel connect() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("socket")));
  }

  /** Returns its standard input. */
  public OutputStream input() {
    return process.getOutputStream();
  }

  /** Ends it with all that it started, and deletes its socket. */
  @Override
  public void close() {
    end(process, folder);
  }

  private static void end(Process process, Path folder) {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
      Files.deleteIfExists(folder.resolve("socket"));
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
