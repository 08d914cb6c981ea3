import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Trains a small run of each kind to its end, then many more of the same that are killed with
 * SIGKILL and resumed until they end, and compares every file they leave with those of the first:
 * {@code java cnf/src/KillTest.java <folder> [kills=100] [seed=42] [roll=./roll] [kinds=grpo,…]}.
 *
 * <p>Half of the kills come at a moment drawn from the whole duration of the process, the other
 * half a few milliseconds after a checkpoint has begun to be written. After a kill the resumed run
 * is killed again with probability 3/5, up to three times more. Before every tenth run the unpacked
 * native libraries are deleted, so that kills hit their unpacking too. Fails where a run does not
 * resume, a file is another, or something is left in the places for temporary files.
 *
 * <p>Files of the kind {@code async} differ from run to run; instead the episodes it trained must
 * be those of the synchronous run of the same seed, each once.
 */
class KillTest {
  private static final double AGAIN = 0.6;
  private static final int MOST_AGAIN = 4;
  private static final int UNPACKS = 10;

  private final Path folder;
  private final Path output;
  private final Path caches;
  private final Path roll;
  private final SplittableRandom random;
  private final Map<String, Double> seconds = new HashMap<>();
  private final Map<String, RunFiles> whole = new HashMap<>();
  private final Map<String, Integer> kills = new TreeMap<>();
  private int runs;
  private int different;
  private int whileWriting;

  KillTest(Path folder, Path roll, long seed) {
    this.folder = folder;
    this.output = folder.resolve("run");
    this.caches = folder.resolve("caches");
    this.roll = roll;
    this.random = new SplittableRandom(seed);
  }

  static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]).toAbsolutePath();
    Map<String, String> options = new TreeMap<>(Map.of("kills", "100", "seed", "42"));
    for (int i = 1; i < arguments.length; i++) {
      options.put(arguments[i].split("=", 2)[0], arguments[i].split("=", 2)[1]);
    }
    Path roll = Path.of(options.getOrDefault("roll", "./roll"));
    List<String> wanted = Arrays.asList(options.getOrDefault("kinds", "").split(","));
    List<Kind> kinds =
        Kind.all(folder).stream()
            .filter(kind -> !options.containsKey("kinds") || wanted.contains(kind.name()))
            .toList();
    KillTest test = new KillTest(folder, roll, Long.parseLong(options.get("seed")));
    System.exit(test.all(kinds, Integer.parseInt(options.get("kills"))) ? 0 : 1);
  }

  /** Returns whether all runs ended like the first of their kind and left nothing behind. */
  boolean all(List<Kind> kinds, int wanted) throws Exception {
    Files.createDirectories(caches.resolve("tmp"));
    List<Kind> taken = kinds.subList(0, Math.min(kinds.size(), wanted));
    if (taken.stream().anyMatch(kind -> kind.name().equals("sft"))) {
      RunFiles.delete(folder.resolve("arithmetic_demos"));
      succeed(start(Kind.demonstrations(folder)));
    }
    for (Kind kind : taken) {
      uninterrupted(kind);
    }
    for (int number = 0; total() < wanted; number++) {
      killed(taken.get(number % taken.size()));
    }
    succeed(start(List.of("version"))); // the next start deletes leftovers of the last killed run
    List<Path> left = LeftBehind.of(roll, caches).list();
    left.forEach(path -> System.out.println("left: " + path));
    System.out.printf(
        Locale.ROOT,
        "%d kills (%s) of %d runs, %d of them while a checkpoint was written; %d runs differ,"
            + " %d files and folders are left%n",
        total(),
        kills,
        runs,
        whileWriting,
        different,
        left.size());
    return different == 0 && left.isEmpty();
  }

  private int total() {
    return kills.values().stream().mapToInt(Integer::intValue).sum();
  }

  private void uninterrupted(Kind kind) throws Exception {
    RunFiles planned = kind.exact() ? null : trained(kind.synchronous());
    long start = System.nanoTime();
    RunFiles files = trained(kind);
    seconds.put(kind.name(), (System.nanoTime() - start) / 1e9);
    if (planned != null) {
      Set<String> each = new HashSet<>(planned.episodes());
      String other = planned.otherEpisodes(files);
      if (!other.isEmpty() || each.size() != planned.episodes().size()) {
        throw new IllegalStateException(kind.name() + " does not train each group once: " + other);
      }
    }
    whole.put(kind.name(), files);
    Path kept = folder.resolve("whole-" + kind.name());
    RunFiles.delete(kept);
    Files.move(output, kept);
    System.out.printf(
        Locale.ROOT,
        "%-6s uninterrupted: %d files, %.1f s%n",
        kind.name(),
        whole.get(kind.name()).contents().size(),
        seconds.get(kind.name()));
  }

  private RunFiles trained(Kind kind) throws Exception {
    RunFiles.delete(output);
    succeed(train(kind));
    return RunFiles.of(output);
  }

  private void succeed(Process process) throws Exception {
    if (process.waitFor() != 0) {
      throw new IllegalStateException("a process that was not killed failed: " + tail());
    }
  }

  /** Kills one run, resumes it until it ends, and reports differences. */
  private void killed(Kind kind) throws Exception {
    runs++;
    if (runs % UNPACKS == 0) {
      RunFiles.delete(caches.resolve("roll/djl"));
    }
    RunFiles.delete(output);
    List<String> moments = new ArrayList<>();
    while (moments.isEmpty() || (moments.size() < MOST_AGAIN && random.nextDouble() < AGAIN)) {
      String moment = kill(kind, moments.isEmpty());
      if (moment.isEmpty() && moments.isEmpty()) {
        RunFiles.delete(output); // it ended first: try again
      } else if (moment.isEmpty()) {
        break;
      } else {
        moments.add(moment);
      }
    }
    int status = train(kind).waitFor();
    String problem = status == 0 ? problem(kind) : "status " + status + ": " + tail();
    int trained = whole.get(kind.name()).episodes().size();
    String well = kind.exact() ? "the same" : trained + " episodes, each once";
    System.out.printf(
        "%3d %-6s killed %-60s  %s%n",
        runs, kind.name(), String.join(", ", moments), problem.isEmpty() ? well : problem);
    if (!problem.isEmpty()) {
      different++;
      Files.move(output, folder.resolve("different-" + runs));
    }
  }

  private String problem(Kind kind) throws IOException {
    RunFiles expected = whole.get(kind.name());
    return kind.exact() ? expected.difference(RunFiles.of(output)) : expected.lack(output);
  }

  /** Starts or resumes the run and kills it; returns when, or nothing if it ended first. */
  private String kill(Kind kind, boolean starts) throws Exception {
    boolean aimed = random.nextBoolean();
    double duration = seconds.get(kind.name());
    long wait = (long) (1e9 * (aimed ? random.nextDouble(0.15) : random.nextDouble(duration)));
    int which = aimed ? random.nextInt(1, 4) : 0;
    long start = System.nanoTime();
    Process process = train(kind);
    for (int seen = 0; aimed && seen < which && process.isAlive(); seen++) {
      while (writing() == (seen % 2 == 1) && process.isAlive()) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
    while (process.isAlive() && !aimed && System.nanoTime() - start < wait) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    if (aimed) {
      TimeUnit.NANOSECONDS.sleep(wait);
    }
    boolean alive = process.isAlive();
    process.destroyForcibly().waitFor();
    double lived = (System.nanoTime() - start) / 1e9;
    if (!alive) {
      seconds.put(kind.name(), starts ? lived : duration);
      return "";
    }
    kills.merge(kind.name(), 1, Integer::sum);
    whileWriting += writing() ? 1 : 0;
    String torn = writing() ? " in a checkpoint" : "";
    return String.format(Locale.ROOT, "at %.1f s%s", lived, torn);
  }

  private Process train(Kind kind) throws IOException {
    List<String> arguments = new ArrayList<>(kind.arguments());
    arguments.add("output_dir=" + folder);
    arguments.add("exp_name=run");
    return start(arguments);
  }

  private Process start(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(roll.toString()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putIfAbsent("ROLL_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    builder.environment().put("XDG_CACHE_HOME", caches.toString());
    builder.environment().put("TMPDIR", caches.resolve("tmp").toString());
    return builder.redirectOutput(folder.resolve("out.txt").toFile()).start();
  }

  private String tail() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("out.txt"));
    return lines.isEmpty() ? "no output" : lines.getLast();
  }

  /** Returns whether a checkpoint is being written. */
  private boolean writing() throws IOException {
    if (!Files.isDirectory(output)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(output)) {
      return entries.anyMatch(entry -> entry.getFileName().toString().matches("\\.checkpoint-.*"));
    }
  }
}
