import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Trains the same steps of GRPO by {@code ./roll} and by TRL's GRPOTrainer, in turn, and prints the
 * seconds of a step by phase and their ratios: {@code java cnf/race/Race.java [--python
 * /path/to/python] [--quick] [key=value …]}.
 *
 * <p>The Python needs torch, transformers and trl; without {@code --python} roll trains alone.
 * Keys: {@code workloads=short,long,game dtypes=f32,bf16 steps=2 rounds=1 vocabulary=32000
 * folder=target/race roll=./roll}. Each run has one more step, which does not count; the medians
 * over the others are printed. Both sides compute with OMP_NUM_THREADS threads, by default all
 * cores.
 */
class Race {
  private final Map<String, String> options;
  private final Path folder;

  Race(Map<String, String> options) {
    this.options = options;
    this.folder = Path.of(options.get("folder")).toAbsolutePath();
  }

  static void main(String[] arguments) throws Exception {
    Map<String, String> options = new TreeMap<>();
    options.putAll(Map.of("workloads", "short,long,game", "dtypes", "f32,bf16", "steps", "2"));
    options.putAll(Map.of("rounds", "1", "vocabulary", "32000", "roll", "./roll"));
    options.put("folder", "target/race");
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--quick" -> options.put("quick", "true");
        case "--python" -> options.put("python", arguments[++i]);
        case String key when options.containsKey(key.split("=", 2)[0]) && key.contains("=") ->
            options.put(key.split("=", 2)[0], key.split("=", 2)[1]);
        default -> throw new IllegalArgumentException("unknown argument " + arguments[i]);
      }
    }
    new Race(options).run();
  }

  private void run() throws IOException, InterruptedException {
    boolean quick = options.containsKey("quick");
    Path model = folder.resolve("model");
    RaceModel.of(quick, Integer.parseInt(options.get("vocabulary"))).write(model);
    Files.deleteIfExists(model.resolve("model.safetensors"));
    List<RaceSide> sides = new ArrayList<>();
    sides.add(new RollSide(Path.of(options.get("roll")).toAbsolutePath(), folder));
    if (options.containsKey("python")) {
      TrlSide trl = new TrlSide(options.get("python"), folder);
      System.out.println(trl.writeWeights());
      sides.add(trl);
    }
    List<String> names = List.of(options.get("workloads").split(","));
    for (Workload workload : Workload.all(quick)) {
      if (names.contains(workload.name())) {
        Files.writeString(folder.resolve(workload.name() + ".jsonl"), workload.rows() + "\n");
        for (String dtype : options.get("dtypes").split(",")) {
          race(workload, dtype, sides);
        }
      }
    }
  }

  private void race(Workload workload, String dtype, List<RaceSide> sides)
      throws IOException, InterruptedException {
    Map<RaceSide, List<PhaseTimes>> times = new TreeMap<>((a, b) -> a.name().compareTo(b.name()));
    int steps = Integer.parseInt(options.get("steps"));
    for (int round = 0; round < Integer.parseInt(options.get("rounds")); round++) {
      for (RaceSide side : round % 2 == 0 ? sides : sides.reversed()) {
        List<PhaseTimes> all = side.run(workload, dtype, steps + 1);
        if (all.size() != steps + 1) {
          throw new IllegalStateException(side.name() + " reported " + all.size() + " steps");
        }
        times.computeIfAbsent(side, s -> new ArrayList<>()).addAll(all.subList(1, all.size()));
      }
    }
    List<PhaseTimes> medians = sides.stream().map(s -> PhaseTimes.median(times.get(s))).toList();
    for (int i = 0; i < sides.size(); i++) {
      System.out.println(line(workload, dtype, sides.get(i), medians.get(i)));
    }
    if (medians.size() == 2) {
      System.out.println(ratios(workload, dtype, medians.get(0), medians.get(1)));
    }
  }

  /** Returns TRL's seconds divided by ours: wall and, in parentheses, processor, by phase. */
  private static String ratios(Workload workload, String dtype, PhaseTimes roll, PhaseTimes trl) {
    List<String> ratios = new ArrayList<>();
    for (String phase : List.of("step", "rollout", "training")) {
      double wall = trl.seconds(phase, false) / roll.seconds(phase, false);
      double processor = trl.seconds(phase, true) / roll.seconds(phase, true);
      ratios.add(String.format(Locale.ROOT, "%s %.2f (%.2f)", phase, wall, processor));
    }
    return "%-6s %-5s TRL/roll ".formatted(workload.name(), dtype) + String.join(", ", ratios);
  }

  /** Returns wall seconds and, in parentheses, processor seconds, by phase. */
  private static String line(Workload workload, String dtype, RaceSide side, PhaseTimes times) {
    List<String> phases = new ArrayList<>(PhaseTimes.PHASES);
    phases.addFirst("step");
    List<String> parts = new ArrayList<>();
    for (String phase : phases) {
      double wall = times.seconds(phase, false);
      double processor = times.seconds(phase, true);
      parts.add(String.format(Locale.ROOT, "%s %.2f s (%.2f)", phase, wall, processor));
    }
    parts.set(parts.size() - 1, parts.getLast() + "; " + side.tokens() + " tokens a step");
    return "%-6s %-5s %-8s ".formatted(workload.name(), dtype, side.name())
        + String.join(", ", parts);
  }
}
