import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A run of {@code roll train} with all roles on the first device.
 *
 * @param folder of its output
 * @param arguments of {@code roll}
 * @param steps it must end with
 */
record TrainedRun(Path folder, List<String> arguments, int steps) {
  private static final Pattern METRIC =
      Pattern.compile("\"([^\"]+)\":(-?[0-9][-+0-9.eE]*|\"?-?(?:NaN|Infinity)\"?)");

  private static final Pattern LOG_PROBS = Pattern.compile("\"(old_|)log_probs\":\\[([^\\]]*)]");

  /** Computes log-probs by training too. */
  private static final String COMPARED = "force_disable_old_logprobs_recompute=false";

  /** Bounds the work of a step of {@code configs/frozen_lake*.yaml}. */
  private static final List<String> LAKE =
      List.of(
          "rollout_batch_size=64",
          "actor_train.training_args.per_device_train_batch_size=16",
          "actor_train.training_args.gradient_accumulation_steps=2",
          "train_env_manager.num_env_groups=8",
          "max_actions_per_traj=4");

  /** A run of a configuration of FrozenLake with small steps and log-probs of both engines. */
  static TrainedRun lake(
      CardSetup setup, String name, String config, int steps, List<String> more) {
    List<String> all = new ArrayList<>(LAKE);
    all.addAll(List.of(COMPARED, "logging_steps=1"));
    all.addAll(more);
    return of(setup, name, "configs/" + config + ".yaml", steps, all);
  }

  /** A run named {@code name}, without checkpoints and validation unless {@code more} says so. */
  static TrainedRun of(CardSetup setup, String name, String config, int steps, List<String> more) {
    Path runs = setup.folder().resolve("runs");
    List<String> all = new ArrayList<>(List.of("train", config));
    all.addAll(List.of("output_dir=" + runs, "exp_name=" + name, "max_steps=" + steps));
    all.addAll(List.of("eval_steps=0", "save_steps=0", "logging_steps=100", "track_with=[jsonl]"));
    all.addAll(List.of("num_gpus_per_node=1", "actor_train.device_mapping=[0]"));
    all.add("actor_infer.device_mapping=[0]");
    all.addAll(more);
    return new TrainedRun(runs.resolve(name), all, steps);
  }

  /** Returns the same run with other steps and further arguments. */
  TrainedRun with(int other, String... more) {
    List<String> all = new ArrayList<>(arguments);
    all.replaceAll(each -> each.startsWith("max_steps=") ? "max_steps=" + other : each);
    all.addAll(List.of(more));
    return new TrainedRun(folder, all, other);
  }

  Programs.Program start(Programs programs) throws IOException {
    return programs.roll(Map.of(), arguments);
  }

  /** Trains to the end; returns its {@link #figure}, and warnings. */
  String train(Programs programs) throws Exception {
    Programs.Program program = start(programs);
    programs.succeed(program);
    return figure() + program.warnings();
  }

  /**
   * Returns the time and the gradient norm of the last step of the finished run, and how far the
   * log-probs of sampling and training differ.
   */
  String figure() throws IOException, CardFailure {
    Map<String, Double> last = metrics().getLast();
    double norm = last.getOrDefault("actor_train/grad_norm", Double.NaN);
    double skipped = last.getOrDefault("actor/skipped_updates", 0.0);
    double difference = difference();
    String figure =
        String.format(
            Locale.ROOT,
            "%d steps, the last %.2f s, gradient norm %.4g",
            steps,
            last.get("time/step_total"),
            norm);
    if (arguments.contains(COMPARED)) {
      figure += String.format(Locale.ROOT, ", log-probs differ by at most %.2g", difference);
    }
    boolean bf16 = arguments.contains("actor_infer.model_args.dtype=bf16");
    if (!(norm >= 0) || Double.isInfinite(norm) || skipped > 0) {
      throw new CardFailure(figure + ", " + skipped + " updates skipped");
    }
    if (arguments.contains(COMPARED) && !(difference <= (bf16 ? 0.25 : 1e-3))) {
      throw new CardFailure(figure);
    }
    return figure;
  }

  /**
   * Returns the largest difference between log-probs of sampling and of training in the episodes
   * that were written; NaN if none has both.
   */
  double difference() throws IOException {
    double largest = -1;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".jsonl")).toList()) {
        List<double[]> sampled = new ArrayList<>();
        List<double[]> trained = new ArrayList<>();
        LOG_PROBS
            .matcher(Files.readString(file))
            .results()
            .forEach(
                found ->
                    (found.group(1).isEmpty() ? sampled : trained).add(numbers(found.group(2))));
        for (int i = 0; i < trained.size(); i++) {
          for (int token = 0; token < trained.get(i).length; token++) {
            double difference = Math.abs(sampled.get(i)[token] - trained.get(i)[token]);
            largest = Math.max(largest, difference); // NaN stays
          }
        }
      }
    }
    return largest < 0 ? Double.NaN : largest;
  }

  private static double[] numbers(String list) {
    return list.isEmpty()
        ? new double[0]
        : Stream.of(list.split(",")).mapToDouble(Double::parseDouble).toArray();
  }

  /** Returns the metrics of all steps. */
  List<Map<String, Double>> metrics() throws IOException, CardFailure {
    List<Map<String, Double>> all = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("metrics.jsonl"))) {
      Map<String, Double> values = new TreeMap<>();
      Matcher metric = METRIC.matcher(line);
      while (metric.find()) {
        values.put(metric.group(1), Double.parseDouble(metric.group(2).replace("\"", "")));
      }
      all.add(values);
    }
    if (all.size() != steps) {
      throw new CardFailure(all.size() + " steps instead of " + steps);
    }
    return all;
  }

  /** Returns SHA-256 of the weights of the last checkpoint. */
  String sha() throws Exception {
    Path file = folder.resolve("checkpoint-" + steps).resolve("model.safetensors");
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
  }
}
