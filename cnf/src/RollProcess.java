import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process of roll and what it says.
 *
 * @param said where its output goes
 */
record RollProcess(Process process, Path said) implements AutoCloseable {
  private static final Pattern JOIN = Pattern.compile("\\./roll (join \\S+ --token \\S+)");

  /** Starts {@code command}; what it says goes to {@code said}. */
  static RollProcess start(List<String> command, Path said) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putIfAbsent("ROLL_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    return new RollProcess(builder.redirectOutput(said.toFile()).start(), said);
  }

  /** The words of the line that it has printed for other machines, from {@code join} on. */
  List<String> joinLine() throws IOException {
    Matcher line = JOIN.matcher(Files.readString(said));
    if (!line.find()) {
      throw new IllegalStateException(said.getFileName() + " has no line to join by");
    }
    return List.of(line.group(1).split(" "));
  }

  /** How many lines that have {@code words} it has said. */
  long count(String words) throws IOException {
    return Files.readAllLines(said).stream().filter(line -> line.contains(words)).count();
  }

  /** Waits until it has said {@code words} so many times; the seconds that it took. */
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

  /** The status with which it ends. */
  int end(int limit) throws InterruptedException {
    if (!process.waitFor(limit, TimeUnit.SECONDS)) {
      throw new IllegalStateException(said.getFileName() + " does not end in " + limit + " s");
    }
    return process.exitValue();
  }

  /** SIGKILL; returns when it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
