import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The interactive shell of a distribution. */
final class SwapTestShell implements AutoCloseable {
  private final Path log;
  private final Process process;
  private final OutputStream in;
  private final Thread reader;
  private final List<String> said = new ArrayList<>();

  /**
   * Starts {@code roll} in {@code home}.
   *
   * @param options JVM options
   * @param deploy watched folder
   * @param log file with the output
   */
  SwapTestShell(String roll, Path home, String options, Path deploy, Path log) throws IOException {
    this.log = log;
    ProcessBuilder builder = new ProcessBuilder(roll).directory(home.toFile());
    String all = options + " -Droll.log.level=info -Droll.deploy.dir=" + deploy;
    builder.redirectErrorStream(true).environment().put("ROLL_JAVA_OPTS", all);
    process = builder.start();
    in = process.getOutputStream();
    reader = Thread.ofPlatform().daemon().start(this::listen);
  }

  /** Returns its process. */
  Process process() {
    return process;
  }

  /** Enters a command, in the background or not. */
  void say(boolean background, List<String> words) throws IOException {
    StringBuilder line = new StringBuilder(words.getFirst());
    words.stream().skip(1).forEach(word -> line.append(" '").append(word).append('\''));
    in.write(line.append(background ? " &\n" : "\n").toString().getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  private void listen() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        var written = Files.newBufferedWriter(log)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        written.write(line + "\n");
        written.flush();
        synchronized (said) {
          said.add(line);
          said.notifyAll();
        }
      }
    } catch (IOException e) {
      System.out.println("cannot read what it says: " + e);
    }
  }

  /** Waits for a new line of output that contains {@code text}. */
  void await(String text) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    synchronized (said) {
      while (said.stream().noneMatch(line -> line.contains(text))) {
        if (System.nanoTime() > deadline || !process.isAlive()) {
          List<String> last = said.subList(Math.max(0, said.size() - 20), said.size());
          throw new IllegalStateException(
              "no output contains '" + text + "':\n" + String.join("\n", last));
        }
        said.wait(1000);
      }
      said.removeIf(line -> line.contains(text));
    }
  }

  /** Returns the class loaders of bundles, megabytes and threads after a full collection. */
  Map<String, Long> holds() throws Exception {
    Map<String, Long> found = new LinkedHashMap<>();
    found.put("loaders", 0L);
    for (String line : histogram()) {
      String[] words = line.strip().split("\\s+");
      if (line.contains("BundleWiringImpl$BundleClassLoader")) {
        found.merge("loaders", Long.parseLong(words[1]), Long::sum);
      } else if (line.startsWith("Total")) {
        found.put("heap MB", Long.parseLong(words[2]) >> 20);
      }
    }
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        found.put("resident MB", Long.parseLong(line.replaceAll("\\D", "")) >> 10);
      } else if (line.startsWith("Threads:")) {
        found.put("threads", Long.parseLong(line.replaceAll("\\D", "")));
      }
    }
    return found;
  }

  private List<String> histogram() throws IOException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    String[] command = {jcmd.toString(), String.valueOf(process.pid()), "GC.class_histogram"};
    Process ran = new ProcessBuilder(command).redirectErrorStream(true).start();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ran.getInputStream().transferTo(out);
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  /** Leaves the shell; kills it after two minutes. */
  @Override
  public void close() throws Exception {
    if (process.isAlive()) {
      say(false, List.of("exit"));
    }
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      System.out.println("it does not end");
      process.destroyForcibly();
    }
    reader.join(5_000);
  }
}
