package roll.workspace.container;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import roll.api.option.UserException;

/**
 * The command line of a container engine.
 *
 * @param program podman, docker, or another with their commands
 */
record Engine(Path program) {
  /** The transfer of standard input or output of a call. */
  @FunctionalInterface
  interface Transfer<S> {
    /** Transfers everything. */
    void run(S stream) throws IOException;
  }

  /** Starts a command with pipes. */
  Process start(List<String> words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(words);
    return new ProcessBuilder(command).start();
  }

  /** Runs a command without input and returns its standard output. */
  byte[] call(List<String> words) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    run(words, OutputStream::close, output -> output.transferTo(answer));
    return answer.toByteArray();
  }

  /**
   * Runs a command.
   *
   * @throws IOException with the command's standard error if it fails
   */
  void run(List<String> words, Transfer<OutputStream> input, Transfer<InputStream> output)
      throws IOException {
    Process process = start(words);
    Thread writer = Thread.ofVirtual().start(() -> write(input, process.getOutputStream()));
    KeptOutput error = new KeptOutput(2000);
    Thread reader = Thread.ofVirtual().start(() -> error.readAll(process.getErrorStream()));
    try (InputStream stream = process.getInputStream()) {
      output.run(stream);
      int unused = process.waitFor();
      reader.join();
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(words.getFirst() + " was interrupted", e);
    } finally {
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new IOException(error.text().strip());
    }
  }

  private static void write(Transfer<OutputStream> input, OutputStream stream) {
    try (stream) {
      input.run(stream);
    } catch (IOException e) {
      // the process has ended, and its status says why
    }
  }

  /**
   * Returns name and version.
   *
   * @throws UserException if the engine does not answer
   */
  String version() {
    String name = String.valueOf(program.getFileName());
    try {
      byte[] answer = call(List.of("version", "--format", "{{.Client.Version}}"));
      return name + " " + new String(answer, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UserException(
          "the workspace 'container' cannot use " + name + ": " + e.getMessage());
    }
  }
}
