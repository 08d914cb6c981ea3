import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Trains many small steps and watches the resources of the process: {@code java
 * cnf/src/SoakTest.java <folder> [steps=10000] [samples=100] [swap=0] [roll=./roll]}. With {@code
 * swap=50} a plugin of the run is replaced every 50 steps ({@link SoakSwaps}). Prints the mean over
 * the second tenth of the steps (the first warms up) and over the last, for heap after collection,
 * resident memory, threads and descriptors; fails if one has grown by more than its bound. Linux
 * only, since it reads {@code /proc}.
 */
class SoakTest {
  /** The last line of a heap histogram: numbers of live objects and bytes. */
  private static final Pattern LIVING = Pattern.compile("Total +\\d+ +(\\d+)");

  private final Path folder;
  private final Path roll;
  private final int steps;
  private final int samples;
  private final int swap;

  SoakTest(Path folder, Path roll, int steps, int samples, int swap) {
    this.folder = folder;
    this.roll = roll;
    this.steps = steps;
    this.samples = samples;
    this.swap = swap;
  }

  /** The resources after a step; sizes in MB. */
  record Sample(long step, double heap, double resident, long threads, long descriptors) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "step %6d  heap %7.2f MB  resident %7.1f MB  threads %3d  descriptors %4d",
          step,
          heap,
          resident,
          threads,
          descriptors);
    }
  }

  /**
   * A measured resource that must not grow.
   *
   * @param bound maximum ratio of the last tenth to the second
   */
  record Figure(String name, ToDoubleFunction<Sample> of, double bound) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("heap MB", Sample::heap, 1.1),
          new Figure("resident MB", Sample::resident, 1.1),
          new Figure("threads", Sample::threads, 1.05),
          new Figure("descriptors", Sample::descriptors, 1.05));

  static void main(String[] arguments) throws Exception {
    Map<String, String> options =
        new TreeMap<>(Map.of("steps", "10000", "samples", "100", "swap", "0"));
    for (int i = 1; i < arguments.length; i++) {
      options.put(arguments[i].split("=", 2)[0], arguments[i].split("=", 2)[1]);
    }
    SoakTest test =
        new SoakTest(
            Path.of(arguments[0]).toAbsolutePath(),
            Path.of(options.getOrDefault("roll", "./roll")),
            Integer.parseInt(options.get("steps")),
            Integer.parseInt(options.get("samples")),
            Integer.parseInt(options.get("swap")));
    System.exit(test.isFlat() ? 0 : 1);
  }

  /** Returns whether the run ended and nothing has grown. */
  boolean isFlat() throws Exception {
    Path output = folder.resolve("soak");
    RunFiles.delete(output);
    SoakSwaps swaps = swap == 0 ? null : new SoakSwaps(folder, roll);
    Process process = swaps == null ? start() : swaps.start(arguments());
    List<Sample> seen = new ArrayList<>();
    try (swaps) {
      while (process.isAlive() && (swaps == null || step(output) < steps)) {
        long step = step(output);
        if (step * samples >= (long) steps * (seen.size() + 1)) {
          Sample sample = sample(process.pid(), step);
          seen.add(sample);
          System.out.println(sample);
        }
        if (swaps != null && step >= (long) swap * (swaps.done() + 1)) {
          swaps.next();
        }
        TimeUnit.MILLISECONDS.sleep(200);
      }
    } catch (IOException e) {
      if (process.isAlive()) { // otherwise it ended during the measurement
        process.destroy();
        throw e;
      }
    }
    int status = process.waitFor();
    if (status != 0 || step(output) < steps) {
      List<String> lines = Files.readAllLines(folder.resolve("out.txt"));
      System.out.println("status " + status + ": " + (lines.isEmpty() ? "" : lines.getLast()));
      return false;
    }
    return compare(seen);
  }

  private boolean compare(List<Sample> seen) {
    boolean flat = true;
    System.out.printf("%-12s %12s %12s %7s %7s%n", "", "2nd tenth", "last tenth", "ratio", "bound");
    for (Figure figure : FIGURES) {
      double first = mean(seen, figure, steps / 10, steps / 5);
      double last = mean(seen, figure, steps - steps / 10, Integer.MAX_VALUE);
      flat &= last <= first * figure.bound();
      System.out.printf(
          Locale.ROOT,
          "%-12s %12.2f %12.2f %7.3f %7.3f%s%n",
          figure.name(),
          first,
          last,
          last / first,
          figure.bound(),
          last <= first * figure.bound() ? "" : "  GROWS");
    }
    return flat;
  }

  private static double mean(List<Sample> seen, Figure figure, int from, int to) {
    return seen.stream()
        .filter(sample -> sample.step() >= from && sample.step() < to)
        .mapToDouble(figure.of())
        .average()
        .orElseThrow(() -> new IllegalStateException("no sample from step " + from + " on"));
  }

  private Process start() throws IOException {
    List<String> command = new ArrayList<>(List.of(roll.toString()));
    command.addAll(arguments());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    return builder.redirectOutput(folder.resolve("out.txt").toFile()).start();
  }

  private List<String> arguments() {
    return List.of(
        "train",
        "configs/frozen_lake.yaml",
        "output_dir=" + folder,
        "exp_name=soak",
        "max_steps=" + steps,
        "save_steps=" + Math.max(1, steps / 100),
        "eval_steps=" + Math.max(1, steps / 100),
        "logging_steps=" + Math.max(1, steps / 100),
        "max_ckpt_to_keep=2",
        "rollout_batch_size=8",
        "val_batch_size=4",
        "actor_train.training_args.per_device_train_batch_size=8",
        "actor_train.training_args.gradient_accumulation_steps=1",
        "train_env_manager.num_env_groups=2",
        "train_env_manager.group_size=4",
        "val_env_manager.num_env_groups=4",
        "max_actions_per_traj=2",
        "track_with=[jsonl, tensorboard, chart]");
  }

  /** Returns the number of complete steps. */
  private static long step(Path output) throws IOException {
    Path metrics = output.resolve("metrics.jsonl");
    if (!Files.exists(metrics)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(metrics)) {
      return lines.count();
    }
  }

  private static Sample sample(long pid, long step) throws Exception {
    String living = jcmd(pid, "GC.class_histogram"); // collects garbage first
    Path process = Path.of("/proc/" + pid);
    String status = Files.readString(process.resolve("status"));
    try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
      return new Sample(
          step,
          sum(LIVING, living) / 1048576.0,
          sum(Pattern.compile("VmRSS:\\s+(\\d+) kB"), status) / 1024.0,
          sum(Pattern.compile("Threads:\\s+(\\d+)"), status),
          descriptors.count());
    }
  }

  private static long sum(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    long sum = 0;
    while (matcher.find()) {
      sum += Long.parseLong(matcher.group(1));
    }
    return sum;
  }

  private static String jcmd(long pid, String command) throws IOException, InterruptedException {
    Path tool = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(tool.toString(), String.valueOf(pid), command)
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) {
      throw new IOException("jcmd: " + out);
    }
    return out;
  }
}
