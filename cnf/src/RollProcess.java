import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process of roll with its output.
 *
 * @param said file with the output
 */
record RollProcess(Process process, Path said) implements AutoCloseable {
  private static final Pattern JOIN = Pattern.compile("\\./roll (join \\S+ --token \\S+)");

  /** Starts {@code command} with its output in {@code said}. */
  static RollProcess start(List<String> command, Path said) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putIfAbsent("ROLL_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    return new RollProcess(builder.redirectOutput(said.toFile()).start(), said);
  }

  /** Returns the words of the printed line for other nodes, from {@code join} on. */
  List<String> joinLine() throws IOException {
    Matcher line = JOIN.matcher(Files.readString(said));
    if (!line.find()) {
      throw new IllegalStateException(said.getFileName() + " has no line to join by");
    }
    return List.of(line.group(1).split(" "));
  }

  /** Returns the number of output lines that contain {@code words}. */
  long count(String words) throws IOException {
    return Files.readAllLines(said).stream().filter(line -> line.contains(words)).count();
  }

  /** Waits for {@code times} lines with {@code words}; returns the seconds it took. */
  double await(String words, int times, int limit) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    while (count(words) < times) {
      double seconds = (System.nanoTime() - begun) / 1e9;
      if (seconds > limit || !process.isAlive()) {
        String why = process.isAlive() ? " in " + limit + " s" : " before its end";
        throw new IllegalStateException(said.getFileName() + " has no '" + words + "'" + why);
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    return (System.nanoTime() - begun) / 1e9;
  }

  /** Sends a signal, such as STOP. */
  void signal(String signal) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor();
  }

  /** Waits for the end and returns the exit status. */
  int end(int limit) throws InterruptedException {
    if (!process.waitFor(limit, TimeUnit.SECONDS)) {
      throw new IllegalStateException(said.getFileName() + " does not end in " + limit + " s");
    }
    return process.exitValue();
  }

  /** Sends SIGKILL and waits for the end. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
