import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rates that the card reaches. */
class FigureChecks {
  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9,]*(\\.[0-9]+)?");

  /** Parts of {@code bench card} by check. */
  private static final List<Map.Entry<String, List<String>>> BENCH =
      List.of(
          Map.entry("bench-decode", List.of("decode")),
          Map.entry("bench-train", List.of("train")),
          Map.entry("bench-single", List.of("single", "prefill")),
          Map.entry("bench-weights", List.of("score", "weights")),
          Map.entry("bench-fall-backs", List.of("eager", "invariant")));

  /** Phases of a step, as metrics name them. */
  private static final List<String> PHASES =
      List.of(
          "rollout",
          "old_log_probs_values",
          "ref_log_probs_values_reward",
          "train",
          "model_update");

  private FigureChecks() {}

  static List<CardCheck> all(CardSetup setup) {
    List<CardCheck> checks = new ArrayList<>();
    for (Map.Entry<String, List<String>> each : BENCH) {
      checks.add(
          new CardCheck(
              each.getKey(), 120, true, programs -> bench(setup, programs, each.getValue())));
    }
    checks.add(2, new CardCheck("200-steps", 180, true, programs -> flat(setup, programs)));
    checks.add(new CardCheck("transformers", 150, true, programs -> transformers(setup, programs)));
    checks.add(new CardCheck("grpo-step", 240, true, programs -> grpo(setup, programs)));
    List<String> large = List.of("decode", "single", "train", "--large");
    checks.add(new CardCheck("bench-7b", 300, true, programs -> bench(setup, programs, large)));
    return checks;
  }

  /** Returns the rows of {@code bench card} with {@code words}, a line each. */
  private static String bench(CardSetup setup, Programs programs, List<String> words)
      throws Exception {
    List<String> command = new ArrayList<>(List.of("bench", "card"));
    command.addAll(words);
    if (setup.cpu()) {
      command.add("--quick");
    }
    Programs.Program program = programs.roll(Map.of(), command);
    CardFailure failure = failure(programs, program);
    List<String> figures = new ArrayList<>();
    List<String> rows = program.text().lines().dropWhile(l -> !l.startsWith("measured")).toList();
    for (String row : rows.subList(Math.min(1, rows.size()), rows.size())) {
      String[] cells = row.split(" {2,}", 3);
      if (cells.length > 1 && !row.startsWith("#") && figures.size() < words.size()) {
        Path file = setup.folder().resolve("bench-" + words.get(figures.size()));
        if (!words.contains("--large")) {
          Files.writeString(file, cells[1]);
        }
        figures.add(cells[0] + ": " + cells[1] + (cells.length == 3 ? "; others " + cells[2] : ""));
      }
    }
    return lines(figures, failure) + program.warnings();
  }

  /** Waits for the end of a program; returns how it failed, or null. */
  private static CardFailure failure(Programs programs, Programs.Program program) throws Exception {
    try {
      programs.succeed(program);
      return null;
    } catch (CardFailure failure) {
      return failure;
    }
  }

  private static String lines(List<String> figures, CardFailure failure) throws CardFailure {
    String lines = String.join("\n", figures);
    if (failure != null || figures.isEmpty()) {
      throw new CardFailure(lines + (failure == null ? "no figure" : "\n" + failure.getMessage()));
    }
    return lines;
  }

  /** Does the same with transformers and divides the rates. */
  private static String transformers(CardSetup setup, Programs programs) throws Exception {
    if (setup.python().isEmpty()) {
      throw new CardSkipped("needs --python");
    }
    String script = "cnf/card/beside.py";
    List<String> command = new ArrayList<>(List.of(setup.interpreter(), script, "measure"));
    if (setup.cpu()) {
      command.add("--cpu");
    }
    Programs.Program program = programs.start(Map.of(), command);
    CardFailure failure = failure(programs, program);
    List<String> lines = new ArrayList<>();
    for (String line : program.text().lines().toList()) {
      String[] parts = line.split(": ", 3);
      if (parts.length == 3 && parts[0].matches("train|decode|single")) {
        lines.add(parts[1] + ": " + parts[2] + ratio(setup, parts[0], parts[2]));
      }
    }
    return lines(lines, failure);
  }

  /** Returns how much faster the row of {@code bench card} is. */
  private static String ratio(CardSetup setup, String part, String figure) throws IOException {
    Path row = setup.folder().resolve("bench-" + part);
    if (!Files.exists(row)) {
      return "";
    }
    double ours = number(Files.readString(row));
    double theirs = number(figure);
    double faster = part.equals("single") ? theirs / ours : ours / theirs;
    return String.format(Locale.ROOT, "; roll %.2f times as fast", faster);
  }

  private static double number(String text) {
    Matcher number = NUMBER.matcher(text);
    return number.find() ? Double.parseDouble(number.group().replace(",", "")) : Double.NaN;
  }

  /** Trains two steps of GRPO on questions; returns the seconds of the second by phase. */
  private static String grpo(CardSetup setup, Programs programs) throws Exception {
    int samples = setup.cpu() ? 16 : setup.number("samples");
    int tokens = setup.cpu() ? 16 : setup.number("tokens");
    int micro = Math.min(32, samples);
    Path questions = setup.root().resolve("configs/data/arithmetic-train.jsonl");
    TrainedRun run =
        TrainedRun.of(
            setup,
            "grpo",
            "configs/gsm8k_qwen2.5_0.5b.yaml",
            2,
            List.of(
                "pretrain=" + CardModels.halfBillion(setup, setup.cpu()),
                "random_weights=true",
                "reference.device_mapping=[0]",
                "rollout_batch_size=" + samples,
                "sequence_length=" + (tokens + 256),
                "train_env_manager.num_env_groups=" + samples / 8,
                "train_env_manager.group_size=8",
                "train_env_manager.generating_args.min_new_tokens=" + tokens,
                "train_env_manager.generating_args.max_new_tokens=" + tokens,
                "actor_infer.strategy_args.strategy_config={max_num_seqs: 512}",
                "actor_infer.infer_batch_size=512",
                "actor_train.model_args.disable_gradient_checkpointing=true",
                "actor_train.infer_batch_size=" + micro,
                "reference.infer_batch_size=" + micro,
                "actor_train.training_args.per_device_train_batch_size=" + micro,
                "actor_train.training_args.gradient_accumulation_steps=" + samples / micro,
                "val_env_manager.generating_args.max_new_tokens=" + tokens,
                "custom_envs.Gsm8k.rewards={format: {pattern: '^[0-9a-m]'}}", // noise has some
                "custom_envs.Gsm8k.env_config.train_files=" + questions,
                "custom_envs.Gsm8k.env_config.val_files=" + questions));
    String figure = run.train(programs);
    Map<String, Double> last = run.metrics().getLast();
    StringBuilder phases = new StringBuilder();
    for (String phase : PHASES) {
      double seconds = last.getOrDefault("time/step_" + phase, 0.0);
      phases.append(String.format(Locale.ROOT, "%s %.2f s, ", phase, seconds));
    }
    double generated = last.getOrDefault("tokens/generated", 0.0);
    return String.format(
        Locale.ROOT,
        "%d samples of %d new tokens: %s%.0f tokens/s in rollout; %s",
        samples,
        tokens,
        phases,
        generated / last.getOrDefault("time/step_rollout", Double.NaN),
        figure);
  }

  /** Trains FrozenLake as its file says; memory must not grow. */
  private static String flat(CardSetup setup, Programs programs) throws Exception {
    int steps = setup.cpu() ? 20 : 200;
    List<String> small =
        setup.cpu()
            ? List.of("rollout_batch_size=64", "train_env_manager.num_env_groups=8")
            : List.of();
    TrainedRun run = TrainedRun.of(setup, "lake", "configs/frozen_lake.yaml", steps, small);
    String figure = run.train(programs);
    List<Map<String, Double>> all = run.metrics();
    double[] seconds =
        all.stream().skip(5).mapToDouble(each -> each.get("time/step_total")).sorted().toArray();
    List<String> grown = new ArrayList<>();
    List<String> sizes = new ArrayList<>();
    for (String size : List.of("memory/step_train/end", "memory/device_0/step_train/reserved")) {
      double early = all.get(steps / 5).getOrDefault(size, 0.0);
      double late = all.getLast().getOrDefault(size, 0.0);
      sizes.add(String.format(Locale.ROOT, "%s %.0f, %.0f MB", size, early, late));
      if (late > 1.1 * early + 50) {
        grown.add(size);
      }
    }
    String said =
        String.format(
            Locale.ROOT,
            "median %.3f s a step; %s after a fifth and at the end; %s",
            seconds[seconds.length / 2],
            String.join(", ", sizes),
            figure);
    if (!grown.isEmpty()) {
      throw new CardFailure("memory grows: " + said);
    }
    return said;
  }
}
