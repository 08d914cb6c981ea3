import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The tree's own {@code ./roll train}. */
class RollSide implements RaceSide {
  private static final Pattern METRIC = Pattern.compile("\"([^\"]+)\":([-0-9.eE]+)");

  private final Path roll;
  private final Path folder;
  private long tokens;

  RollSide(Path roll, Path folder) {
    this.roll = roll;
    this.folder = folder;
  }

  @Override
  public String name() {
    return "roll";
  }

  @Override
  public long tokens() {
    return tokens;
  }

  @Override
  public List<PhaseTimes> run(Workload workload, String dtype, int steps)
      throws IOException, InterruptedException {
    Path log = folder.resolve("roll.log");
    Path metrics = folder.resolve("race/metrics.jsonl");
    delete(folder.resolve("race"));
    Process process = RaceSide.start(command(workload, dtype, steps), log);
    List<Map<String, Double>> lines = new ArrayList<>();
    ProcessorClock clock = new ProcessorClock(process);
    List<PhaseTimes> times = new ArrayList<>();
    boolean alive = true;
    while (alive) {
      TimeUnit.MILLISECONDS.sleep(20);
      alive = process.isAlive();
      clock.sample();
      read(metrics, lines);
      while (times.size() < lines.size()) {
        times.add(clock.times(lines.get(times.size())));
      }
    }
    RaceSide.end(process, log);
    tokens = Math.round(lines.getLast().getOrDefault("global_seqlen/actor_train/mean", 0.0));
    return times;
  }

  private static void delete(Path run) throws IOException {
    if (Files.exists(run)) {
      try (Stream<Path> entries = Files.walk(run)) {
        for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(entry);
        }
      }
    }
  }

  private static void read(Path metrics, List<Map<String, Double>> lines) throws IOException {
    if (!Files.exists(metrics)) {
      return;
    }
    List<String> found = Files.readAllLines(metrics);
    for (String line : found.subList(Math.min(lines.size(), found.size()), found.size())) {
      if (line.endsWith("}")) {
        Map<String, Double> values = new TreeMap<>();
        Matcher metric = METRIC.matcher(line);
        while (metric.find()) {
          values.put(metric.group(1), Double.parseDouble(metric.group(2)));
        }
        lines.add(values);
      }
    }
  }

  private List<String> command(Workload workload, String dtype, int steps) {
    Path questions = folder.resolve(workload.name() + ".jsonl");
    String format = dtype.equals("f32") ? "fp32" : dtype;
    String manager = "train_env_manager.";
    String training = "actor_train.training_args.";
    Path model = folder.resolve("model");
    boolean random = !Files.exists(model.resolve("model.safetensors")); // no Python wrote any
    int length = workload.prompt() + workload.total() + 64;
    List<String> command = new ArrayList<>();
    command.addAll(List.of(roll.toString(), "train", "cnf/race/race.yaml"));
    command.addAll(List.of("output_dir=" + folder, "pretrain=" + model));
    command.add("random_weights=" + random);
    command.addAll(List.of("max_steps=" + steps, "rollout_batch_size=" + workload.samples()));
    command.add("sequence_length=" + length);
    command.add("actor_train.model_args.dtype=" + format);
    command.add("actor_infer.model_args.dtype=" + format);
    command.add(training + "per_device_train_batch_size=" + workload.group());
    command.add(training + "gradient_accumulation_steps=" + workload.questions());
    command.add(manager + "num_env_groups=" + workload.questions());
    command.add(manager + "group_size=" + workload.group());
    command.add(manager + "tags=[" + (workload.game() ? "Game" : "Question") + "]");
    command.add(manager + "generating_args.min_new_tokens=" + workload.response());
    command.add(manager + "generating_args.max_new_tokens=" + workload.response());
    command.add("custom_envs.Question.env_config.train_files=[" + questions + "]");
    if (workload.game()) {
      command.add("custom_envs.Game.max_steps=" + workload.turns());
      command.add("custom_envs.Game.env_config.max_steps=" + workload.turns());
      command.add("custom_envs.Game.agent_system_template=" + workload.system());
      command.add("custom_envs.Game.agent_template=\"{observation} " + workload.hint() + "\"");
    }
    return command;
  }
}
