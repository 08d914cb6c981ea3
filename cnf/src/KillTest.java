import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Trains a small run to its end, then many more of the same that are killed with SIGKILL and
 * resumed until they end, and compares every file they leave with those of the first: {@code java
 * cnf/src/KillTest.java <folder> [kills=100] [seed=42] [roll=./roll]}.
 *
 * <p>Half of the kills come at a moment drawn from the whole duration of the process, the other
 * half a few milliseconds after a checkpoint has begun to be written. After a kill the resumed run
 * is killed again with probability 3/5, up to three times more. Fails where a run does not resume,
 * or a file is another.
 */
class KillTest {
  private static final List<String> CONFIG =
      List.of(
          "configs/frozen_lake.yaml",
          "max_steps=5",
          "save_steps=1",
          "eval_steps=3",
          "logging_steps=1",
          "max_ckpt_to_keep=2",
          "rollout_batch_size=16",
          "val_batch_size=8",
          "actor_train.training_args.per_device_train_batch_size=4",
          "actor_train.strategy_args.strategy_config={parallel_micro_batches: 1}",
          "train_env_manager.num_env_groups=2",
          "val_env_manager.num_env_groups=8",
          "max_actions_per_traj=4",
          "init_kl_coef=0.1",
          "target_kl=0.01",
          "track_with=[jsonl, tensorboard, chart]",
          "resume_from_checkpoint=true");

  /** Metrics that the clock and the machine say. */
  private static final Pattern CLOCK =
      Pattern.compile("time/|memory|/tps$|vllm/(.*_second|.*_seconds_|time_|step_overhead)");

  /** What the clock and the process say. */
  private static final Pattern IGNORED = Pattern.compile("\\.lock|run\\.log.*|tensorboard/.*");

  private static final Pattern METRIC = Pattern.compile("\"([^\"]+)\":([^,}{]+)");
  private static final double AGAIN = 0.6;
  private static final int MOST_AGAIN = 4;

  private final Path folder;
  private final Path output;
  private final String roll;
  private final SplittableRandom random;
  private double seconds;
  private int kills;
  private int whileWriting;

  KillTest(Path folder, String roll, long seed) {
    this.folder = folder;
    this.output = folder.resolve("run");
    this.roll = roll;
    this.random = new SplittableRandom(seed);
  }

  static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]).toAbsolutePath();
    Map<String, String> options = new TreeMap<>(Map.of("kills", "100", "seed", "42"));
    for (int i = 1; i < arguments.length; i++) {
      options.put(arguments[i].split("=", 2)[0], arguments[i].split("=", 2)[1]);
    }
    String roll = options.getOrDefault("roll", "./roll");
    KillTest test = new KillTest(folder, roll, Long.parseLong(options.get("seed")));
    System.exit(test.all(Integer.parseInt(options.get("kills"))) ? 0 : 1);
  }

  /** Whether all runs ended as the first did. */
  boolean all(int wanted) throws Exception {
    delete(output);
    long start = System.nanoTime();
    int status = start().waitFor();
    seconds = (System.nanoTime() - start) / 1e9;
    if (status != 0) {
      throw new IllegalStateException("the run that nobody kills failed: " + tail());
    }
    Map<String, String> whole = contents();
    Path kept = folder.resolve("whole");
    delete(kept);
    Files.move(output, kept);
    System.out.printf("uninterrupted: %d files, %.1f s%n", whole.size(), seconds);
    int different = 0;
    int runs = 0;
    while (kills < wanted) {
      runs++;
      String problem = killed(runs, whole);
      different += problem.isEmpty() ? 0 : 1;
      if (!problem.isEmpty()) {
        Files.move(output, folder.resolve("different-" + runs));
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d kills of %d runs, %d of them while a checkpoint was written; %d runs differ%n",
        kills,
        runs,
        whileWriting,
        different);
    return different == 0;
  }

  /** Kills one run, resumes it until it ends, and gives what is different then, or nothing. */
  private String killed(int number, Map<String, String> whole) throws Exception {
    delete(output);
    List<String> moments = new ArrayList<>();
    while (moments.isEmpty() || (moments.size() < MOST_AGAIN && random.nextDouble() < AGAIN)) {
      String moment = kill(moments.isEmpty());
      if (moment.isEmpty() && moments.isEmpty()) {
        delete(output); // it came to its end: once more
      } else if (moment.isEmpty()) {
        break;
      } else {
        moments.add(moment);
      }
    }
    int status = start().waitFor();
    String problem = status == 0 ? difference(whole) : "status " + status + ": " + tail();
    System.out.printf(
        "%3d  killed %-60s  %s%n",
        number, String.join(", ", moments), problem.isEmpty() ? "the same" : problem);
    return problem;
  }

  /** Starts or resumes the run and kills it; says when, or nothing where it ended before. */
  private String kill(boolean starts) throws Exception {
    boolean aimed = random.nextBoolean();
    long wait = (long) (1e9 * (aimed ? random.nextDouble(0.15) : random.nextDouble(seconds)));
    int which = aimed ? random.nextInt(1, 4) : 0;
    long start = System.nanoTime();
    Process process = start();
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
      seconds = starts ? lived : seconds;
      return "";
    }
    kills++;
    whileWriting += writing() ? 1 : 0;
    String torn = writing() ? " in a checkpoint" : "";
    return String.format(Locale.ROOT, "at %.1f s%s", lived, torn);
  }

  private Process start() throws IOException {
    List<String> command = new ArrayList<>(List.of(roll, "train"));
    command.addAll(CONFIG);
    command.add("output_dir=" + folder);
    command.add("exp_name=run");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putIfAbsent("ROLL_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    return builder.redirectOutput(folder.resolve("out.txt").toFile()).start();
  }

  private String tail() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("out.txt"));
    return lines.isEmpty() ? "no output" : lines.getLast();
  }

  /** Whether a checkpoint is being written. */
  private boolean writing() throws IOException {
    if (!Files.isDirectory(output)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(output)) {
      return entries.anyMatch(entry -> entry.getFileName().toString().matches("\\.checkpoint-.*"));
    }
  }

  private String difference(Map<String, String> whole) throws IOException {
    Map<String, String> found = contents();
    if (!found.keySet().equals(whole.keySet())) {
      return "other files: " + found.keySet();
    }
    return whole.keySet().stream()
        .filter(name -> !whole.get(name).equals(found.get(name)))
        .map(name -> name + " differs")
        .findFirst()
        .orElse("");
  }

  /** All that the run left, by name: bytes in hexadecimal, metrics but for the clock's as text. */
  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(output)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = output.relativize(file).toString();
        if (name.equals("metrics.jsonl")) {
          contents.put(name, metrics(file));
        } else if (!IGNORED.matcher(name).matches()) {
          contents.put(name, java.util.HexFormat.of().formatHex(Files.readAllBytes(file)));
        }
      }
    }
    contents.put("tensorboard", events());
    return contents;
  }

  private static String metrics(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line : Files.readAllLines(file)) {
      Map<String, String> values = new TreeMap<>();
      Matcher metric = METRIC.matcher(line);
      while (metric.find()) {
        if (!CLOCK.matcher(metric.group(1)).find()) {
          values.put(metric.group(1), metric.group(2));
        }
      }
      text.append(values).append('\n');
    }
    return text.toString();
  }

  /** How many scalars the event files have by step: their values are those of metrics.jsonl. */
  private String events() throws IOException {
    Map<Long, Integer> scalars = new TreeMap<>();
    try (Stream<Path> files = Files.list(output.resolve("tensorboard"))) {
      for (Path file : files.toList()) {
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
          byte[] event = new byte[(int) in.getLong()];
          in.getInt();
          in.get(event).getInt();
          count(ByteBuffer.wrap(event), scalars);
        }
      }
    }
    return scalars.toString();
  }

  /** An event: wall time (1, eight bytes), step (2), and as field 5 a summary of scalars (1). */
  private static void count(ByteBuffer event, Map<Long, Integer> scalars) {
    long step = 0;
    while (event.hasRemaining()) {
      int tag = event.get();
      if (tag == 9) {
        event.getLong();
      } else if (tag == 16) {
        step = number(event);
      } else {
        int length = (int) number(event);
        ByteBuffer bytes = event.slice(event.position(), length);
        event.position(event.position() + length);
        while (tag == 42 && bytes.hasRemaining()) {
          bytes.get();
          int scalar = (int) number(bytes);
          bytes.position(bytes.position() + scalar);
          scalars.merge(step, 1, Integer::sum);
        }
      }
    }
  }

  /** A varint. */
  private static long number(ByteBuffer in) {
    long number = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      number |= (long) (next & 127) << shift;
      if (next >= 0) {
        return number;
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> entries = Files.walk(folder)) {
        for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(entry);
        }
      }
    }
    Files.createDirectories(folder.getParent());
  }
}
