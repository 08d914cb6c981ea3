import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Trains a small run with a node that is lost in one way after another, and compares every file it
 * leaves with those of the run without other nodes: {@code java cnf/src/LostNodesTest.java <folder>
 * [steps=300] [seed=42] [roll=./roll] [cases=joins,leaves,killed,stopped,reset,cut,first]
 * [ahead=0]}.
 *
 * <p>With {@code ahead} the run is asynchronous, and only the ids of its trained episodes must be
 * the same, each once. The run must outlast a wire that is cut for 30 s: 300 steps take a minute on
 * two quiet cores. Fails where a file is another or something takes longer than is promised. The
 * wire is that of a network namespace; where there can be none, {@code cut} is skipped, and the
 * last line counts it. {@code reset} ends TCP connections by {@code ss -K}, for which one must be
 * root.
 */
class LostNodesTest {
  private static final int LONG = 300;
  private static final int KILLS = 10;
  private static final int KILLED = 137;

  /** Steps of several calls, each split into four parts. */
  private static final String RUN =
      """
      configs/frozen_lake.yaml exp_name=run eval_steps=0 save_steps=1 logging_steps=1 \
      max_ckpt_to_keep=2 resume_from_checkpoint=true rollout_batch_size=64 \
      train_env_manager.num_env_groups=8 actor_infer.infer_batch_size=16 \
      actor_train.training_args.per_device_train_batch_size=8 \
      actor_train.training_args.gradient_accumulation_steps=2 track_with=[console,jsonl,chart]
      """;

  private final Path folder;
  private final Path output;
  private final Path roll;
  private final int steps;
  private final String ahead;
  private final SplittableRandom random;
  private RunFiles whole;

  LostNodesTest(Path folder, Map<String, String> options) {
    this.folder = folder;
    this.output = folder.resolve("run");
    this.roll = Path.of(options.get("roll")).toAbsolutePath();
    this.steps = Integer.parseInt(options.get("steps"));
    this.ahead = options.get("ahead");
    this.random = new SplittableRandom(Long.parseLong(options.get("seed")));
  }

  static void main(String[] arguments) throws Exception {
    Map<String, String> options = new TreeMap<>();
    options.putAll(Map.of("steps", "300", "seed", "42", "roll", "./roll"));
    options.put("ahead", "0");
    options.put("cases", "joins,leaves,killed,stopped,reset,cut,first");
    for (int i = 1; i < arguments.length; i++) {
      options.put(arguments[i].split("=", 2)[0], arguments[i].split("=", 2)[1]);
    }
    LostNodesTest test = new LostNodesTest(Path.of(arguments[0]).toAbsolutePath(), options);
    System.exit(test.all(Arrays.asList(options.get("cases").split(","))) ? 0 : 1);
  }

  /** An action on a node or the run that returns what happened. */
  private interface Case {
    String happen(RollProcess first) throws Exception;
  }

  /** Returns whether all runs ended like the one without other nodes. */
  boolean all(List<String> names) throws Exception {
    Files.createDirectories(folder);
    int different = 0;
    int skipped = 0;
    long begun = System.nanoTime();
    alone();
    for (String name : names) {
      String problem;
      try {
        problem = play(name);
      } catch (IllegalStateException e) {
        problem = e.getMessage();
      }
      if (problem.startsWith("skipped")) {
        skipped++;
      } else if (!problem.isEmpty()) {
        different++;
        RunFiles.delete(folder.resolve("different-" + name));
        Files.move(output, folder.resolve("different-" + name));
      }
      System.out.printf("%-8s %s%n", name, problem.isEmpty() ? "the same" : problem);
    }
    System.out.printf(
        Locale.ROOT,
        "%d cases, %d differ, %d skipped, %.0f s%n",
        names.size(),
        different,
        skipped,
        (System.nanoTime() - begun) / 1e9);
    return different == 0;
  }

  private void alone() throws Exception {
    RunFiles.delete(output);
    long start = System.nanoTime();
    try (RollProcess first = first("127.0.0.1", port())) {
      expect(0, first.end(LONG));
    }
    whole = RunFiles.acrossNodes(output);
    System.out.printf(Locale.ROOT, "alone    %.1f s%n", (System.nanoTime() - start) / 1e9);
  }

  private String play(String name) throws Exception {
    if (!name.equals("cut")) {
      return play("127.0.0.1", first -> happen(name, first), name.equals("first") ? KILLED : 0);
    }
    NodeWire wire;
    try {
      wire = NodeWire.lay();
    } catch (IOException e) {
      return "skipped: no network namespace: " + e.getMessage();
    }
    try (wire) {
      return play(NodeWire.HERE, first -> cut(first, wire), 0);
    }
  }

  /** Runs {@code happening} and returns the differences from the run without other nodes. */
  private String play(String host, Case happening, int status) throws Exception {
    RunFiles.delete(output);
    int port = port();
    try (RollProcess first = first(host, port)) {
      first.await("./roll join ", 1, LONG);
      System.out.println("         " + happening.happen(first));
      expect(status, first.end(LONG));
    }
    return ahead.equals("0") ? whole.difference(RunFiles.acrossNodes(output)) : whole.lack(output);
  }

  private String happen(String name, RollProcess first) throws Exception {
    return switch (name) {
      case "joins" -> joins(first);
      case "leaves" -> leaves(first);
      case "killed" -> killed(first);
      case "stopped" -> stopped(first);
      case "reset" -> reset(first);
      case "first" -> firstIsKilled(first);
      default -> throw new IllegalArgumentException("no case " + name);
    };
  }

  /** Starts a node in the middle of the run, which ends with it. */
  private String joins(RollProcess first) throws Exception {
    step(2);
    try (RollProcess node = join(first, List.of())) {
      double seconds = first.await("joined actor_infer", 1, LONG);
      expect(0, first.end(LONG));
      expect(0, node.end(30));
      return say("in the pool %.1f s after its start", seconds);
    }
  }

  private String leaves(RollProcess first) throws Exception {
    try (RollProcess node = working(first, List.of())) {
      node.signal("INT");
      int status = node.end(30);
      double seconds = first.await("node w ", 2, 30);
      return say("ended with status %d, and left %.1f s later", status, seconds);
    }
  }

  private String killed(RollProcess first) throws Exception {
    try (RollProcess node = working(first, List.of())) {
      node.kill();
      double seconds = first.await(" was lost", 1, 30);
      return check(seconds, 3, "its services were gone %.2f s after SIGKILL");
    }
  }

  private String stopped(RollProcess first) throws Exception {
    try (RollProcess node = working(first, List.of())) {
      node.signal("STOP");
      double lost = first.await(" was lost", 1, 30);
      TimeUnit.SECONDS.sleep(4);
      node.signal("CONT");
      double again = node.await("joined the run", 2, LONG);
      first.await("joined actor_infer", 2, LONG);
      expect(0, first.end(LONG));
      return say("given up %.1f s after SIGSTOP, joined again %.1f s after SIGCONT", lost, again);
    }
  }

  /** Resets all connections of the members repeatedly; no node may be given up. */
  private String reset(RollProcess first) throws Exception {
    int port = Integer.parseInt(first.joinLine().get(1).split(":")[1]) + 1;
    try (RollProcess node = working(first, List.of())) {
      int ended = 0;
      for (int i = 0; i < KILLS; i++) {
        ended += endConnections(port);
        TimeUnit.MILLISECONDS.sleep(500 + random.nextInt(1000));
      }
      expect(0, (int) first.count(" was lost"));
      expect(0, first.end(LONG));
      expect(0, node.end(30));
      expect(1, (int) node.count("joined the run"));
      return ended + " connections of the members ended by force in " + KILLS + " rounds";
    }
  }

  private static int endConnections(int port) throws Exception {
    String ends = "( sport = :%1$d or dport = :%1$d )".formatted(port);
    Process ss = new ProcessBuilder("ss", "-HtnK", "state", "established", ends).start();
    int ended = (int) ss.inputReader().lines().filter(line -> !line.isBlank()).count();
    ss.waitFor();
    return ended;
  }

  private String cut(RollProcess first, NodeWire wire) throws Exception {
    try (RollProcess node = working(first, wire.there(List.of()))) {
      long begun = System.nanoTime();
      wire.cut();
      node.await("waiting for the run", 1, 30);
      double ended = (System.nanoTime() - begun) / 1e9;
      first.await(" was lost", 1, 30);
      double lost = (System.nanoTime() - begun) / 1e9;
      TimeUnit.NANOSECONDS.sleep(30_000_000_000L - (System.nanoTime() - begun));
      wire.mend();
      double again = node.await("joined the run", 2, LONG);
      first.await("joined actor_infer", 2, LONG);
      expect(0, first.end(LONG));
      String said =
          "given up after %.1f s, joined again %.1f s after 30 s; it had stopped after %.1f s";
      return check(ended, 10, said.formatted(lost, again, ended).replace("%", "%%"));
    }
  }

  /** Kills the first node at random times; the node that joined keeps waiting. */
  private String firstIsKilled(RollProcess begun) throws Exception {
    String[] address = begun.joinLine().get(1).split(":");
    RollProcess first = begun;
    List<String> moments = new ArrayList<>();
    try (RollProcess node = working(first, List.of())) {
      for (int kill = 1; kill <= KILLS; kill++) {
        double seconds = random.nextDouble(4);
        TimeUnit.NANOSECONDS.sleep((long) (1e9 * seconds));
        if (!first.process().isAlive()) {
          throw new IllegalStateException("the run has ended after " + moments + ": more steps");
        }
        first.kill();
        moments.add(steps() + "");
        first = first(address[0], Integer.parseInt(address[1]));
        first.await("joined actor_infer", 1, LONG);
      }
      expect(0, first.end(LONG));
      expect(0, node.end(30));
      expect(KILLS + 1, (int) node.count("joined the run"));
    } finally {
      first.close();
    }
    return "killed with so many steps written: " + String.join(", ", moments);
  }

  /** Starts a node and waits until it has the weights and generates. */
  private RollProcess working(RollProcess first, List<String> before) throws Exception {
    RollProcess node = join(first, before);
    first.await("joined actor_infer", 1, LONG);
    step(steps() + 2);
    TimeUnit.MILLISECONDS.sleep(random.nextInt(300));
    return node;
  }

  private RollProcess join(RollProcess first, List<String> before) throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(roll.toString());
    command.addAll(first.joinLine());
    command.addAll(List.of("--name", "w"));
    return RollProcess.start(command, folder.resolve("node.txt"));
  }

  private RollProcess first(String host, int port) throws IOException {
    List<String> command = new ArrayList<>(List.of(roll.toString(), "train"));
    command.addAll(List.of(RUN.strip().split(" ")));
    command.addAll(List.of("output_dir=" + folder, "max_steps=" + steps));
    command.add("async_generation_ratio=" + ahead);
    command.addAll(List.of("--listen", host + ":" + port));
    return RollProcess.start(command, folder.resolve("first.txt"));
  }

  private int port() {
    return 2 * random.nextInt(10_000, 16_000);
  }

  /** Returns the number of steps written. */
  private int steps() throws IOException {
    Path metrics = output.resolve("metrics.jsonl");
    return Files.exists(metrics) ? Files.readAllLines(metrics).size() : 0;
  }

  private void step(int number) throws Exception {
    for (int i = 0; i < 100 * LONG && steps() < number; i++) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private static void expect(int expected, int found) {
    if (expected != found) {
      throw new IllegalStateException(found + " where " + expected + " is expected");
    }
  }

  private static String say(String how, Object... what) {
    return String.format(Locale.ROOT, how, what);
  }

  private static String check(double seconds, double most, String how) {
    String said = say(how, seconds);
    if (seconds > most) {
      throw new IllegalStateException(said + ", more than " + most);
    }
    return said;
  }
}
