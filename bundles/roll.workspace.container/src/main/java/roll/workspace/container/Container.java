package roll.workspace.container;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import roll.api.workspace.WorkspaceLimits;

/** A container that runs until its input closes, and so at most as long as this JVM. */
final class Container implements AutoCloseable {
  /** Follows the last line. */
  private static final String END = "";

  private static final int SECONDS = 10;

  private final Engine engine;
  private final String name;
  private final Process first;
  private final BlockingQueue<String> lines;
  private final String directory;

  private Container(
      Engine engine, String name, Process first, BlockingQueue<String> lines, String directory) {
    this.engine = engine;
    this.name = name;
    this.first = first;
    this.lines = lines;
    this.directory = directory;
  }

  /**
   * Starts a container.
   *
   * @param name unused so far
   * @param options of the engine's {@code run}
   * @param directory of the workspace, or empty for that of the image
   * @throws IOException with what the engine says if it does not start
   * @throws InterruptedException if interrupted, as while an image is pulled; no container is left
   */
  static Container start(
      Engine engine, String name, List<String> options, String image, String directory)
      throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(List.of("run", "--interactive", "--rm", "--name", name, "--user", "0"));
    words.addAll(options);
    words.addAll(List.of("--entrypoint", "/bin/sh", image));
    List<String> script = Scripts.words(List.of("init"), List.of(directory));
    words.addAll(script.subList(1, script.size()));
    Process process = engine.start(words);
    KeptOutput error = new KeptOutput(2000);
    Thread reader = Thread.ofVirtual().start(() -> error.readAll(process.getErrorStream()));
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Thread.ofVirtual().start(() -> readAll(output, lines));
    try {
      String found = lines.take(); // after the engine has pulled a missing image
      if (!found.equals(END)) {
        return new Container(engine, name, process, lines, found);
      }
      reader.join();
      throw new IOException(error.text().strip());
    } catch (InterruptedException e) {
      process.destroyForcibly();
      remove(engine, name);
      throw e;
    }
  }

  private static void remove(Engine engine, String name) {
    try {
      byte[] unused = engine.call(List.of("rm", "--force", name));
    } catch (IOException e) {
      // there is none, or it has ended
    }
  }

  private static void readAll(BufferedReader output, BlockingQueue<String> lines) {
    try (output) {
      output.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      // the container has ended
    }
    lines.add(END);
  }

  /** Returns the limits as options of {@code run}. */
  static List<String> options(WorkspaceLimits limits) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--memory=" + limits.memory(),
                "--memory-swap=" + limits.memory(),
                "--pids-limit=" + limits.processes(),
                "--ulimit=fsize=" + limits.disk() + ":" + limits.disk(),
                "--security-opt=no-new-privileges",
                "--cap-drop=ALL"));
    for (String capability : List.of("CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID")) {
      options.add("--cap-add=" + capability);
    }
    if (!limits.network()) {
      options.add("--network=none");
    }
    return options;
  }

  /** Returns the directory of the workspace. */
  String directory() {
    return directory;
  }

  /** Returns the words of {@code exec} of a command in it, with {@code options} of the engine. */
  List<String> exec(List<String> options, List<String> command) {
    List<String> words = new ArrayList<>(List.of("exec", "--workdir", directory));
    words.addAll(options);
    words.add(name);
    words.addAll(command);
    return words;
  }

  /** Starts a command. */
  Process start(List<String> options, List<String> command) throws IOException {
    return engine.start(exec(options, command));
  }

  /** Runs scripts and returns what they print. */
  byte[] call(List<String> scripts, String... arguments) throws IOException {
    return engine.call(exec(List.of(), Scripts.words(scripts, List.of(arguments))));
  }

  /** Runs scripts with an input and returns what they print. */
  void call(List<String> scripts, byte[] input, String... arguments) throws IOException {
    engine.run(
        exec(List.of("--interactive"), Scripts.words(scripts, List.of(arguments))),
        stream -> stream.write(input),
        InputStream::readAllBytes);
  }

  /** Copies the content of a folder of this machine into the folder {@code path}. */
  void copy(Path folder, String path) throws IOException {
    byte[] unused = engine.call(List.of("cp", folder + "/.", name + ":" + path));
  }

  /** Writes the workspace as a tar archive. */
  void save(Engine.Transfer<InputStream> output) throws IOException {
    engine.run(List.of("cp", name + ":" + directory, "-"), OutputStream::close, output);
  }

  /** Extracts the archive of {@link #save}. */
  void load(Engine.Transfer<OutputStream> input) throws IOException {
    String parent = directory.substring(0, directory.lastIndexOf('/') + 1);
    engine.run(List.of("cp", "-", name + ":" + parent), input, InputStream::readAllBytes);
  }

  /**
   * Ends all processes but the first, and returns how often the memory limit was exceeded so far.
   *
   * @throws IOException if the container has ended, or does not answer
   */
  synchronized int endAll() throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      OutputStream input = first.getOutputStream();
      input.write('\n');
      input.flush();
      String line = lines.poll(SECONDS, TimeUnit.SECONDS);
      if (line != null && !line.equals(END)) {
        return Integer.parseInt(line);
      }
      throw new IOException(
          "its first process " + (line == null ? "does not answer" : "has ended"));
    } catch (InterruptedException e) {
      interrupted = true;
      close(); // a later request would take the answer to this one for its own
      throw new IOException("the workspace has ended: it was interrupted", e);
    } catch (IOException e) {
      close();
      throw new IOException("the workspace has ended: " + e.getMessage(), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends and deletes the container. */
  @Override
  public void close() {
    try {
      first.getOutputStream().close();
      if (!first.waitFor(SECONDS, TimeUnit.SECONDS)) {
        remove(engine, name);
      }
    } catch (IOException e) {
      // it has ended
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      first.destroyForcibly();
    }
  }
}
