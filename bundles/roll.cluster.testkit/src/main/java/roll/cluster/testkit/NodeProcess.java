package roll.cluster.testkit;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import roll.cluster.ClusterEngine;
import roll.testkit.JavaProcess;

/** Process that runs {@link NodeMain}. */
final class NodeProcess implements AutoCloseable {
  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private NodeProcess(Process process) {
    this.process = process;
    Thread.ofVirtual().start(this::read);
  }

  /**
   * Starts a node.
   *
   * @param before command prefix, for example to enter a network namespace
   * @param at address to listen at; port 0 for any
   */
  static NodeProcess start(
      List<String> before,
      ClusterEngine engine,
      Path authority,
      String name,
      String at,
      String first)
      throws IOException {
    ProcessBuilder node =
        JavaProcess.of(
            NodeMain.class,
            List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--sun-misc-unsafe-memory-access=allow"),
            engine.getClass().getName(),
            authority.toString(),
            name,
            at,
            first);
    node.command().addAll(0, before);
    return new NodeProcess(node.redirectError(new File("target/" + name + ".err")).start());
  }

  private void read() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the next line that begins with {@code word} and returns it. */
  String await(String word, int seconds) throws InterruptedException {
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    List<String> seen = new ArrayList<>();
    while (true) {
      String line = lines.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null) {
        throw new AssertionError("no '" + word + "' within " + seconds + " s, but " + seen);
      }
      if (line.startsWith(word)) {
        return line;
      }
      seen.add(line);
    }
  }

  /** Sends a signal, such as KILL, STOP or CONT, to the node's process. */
  void signal(String name) throws IOException, InterruptedException {
    int status =
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    if (status != 0) {
      throw new IOException("kill -" + name + " ended with " + status);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
