package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.pipeline.TrainingRun;

/** Runs report the metrics of {@code configs/METRICS.md}, name by name. */
@Tag("framework")
@Timeout(240)
class MetricsTest {
  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)`[ *]*\\|.*\\| ([^|]+) \\|");
  private static final Pattern CHOICE = Pattern.compile("\\{([^}]+)}");

  private final Path folder;
  private int runs;

  MetricsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** A name in the table, in which {@code <…>} matches any word. */
  private record Row(String name, String when) {
    boolean fits(String metric) {
      return metric.matches(name.replaceAll("<[^>]+>", "[^/]+"));
    }
  }

  @Test
  void everythingOfPpoIsInTheTable() throws Exception {
    check(
        run(
            "frozen_lake_ppo.yaml",
            "metric_names=verl",
            "use_kl_loss=true",
            "kl_loss_coef=0.01",
            "add_token_level_kl=true",
            "kl_penalty=full",
            "reward_clip=1",
            "advantage_clip=2",
            "critic_warmup=0",
            "force_disable_old_logprobs_recompute=false",
            "train_infer_correction={is_weight: {enabled: true}, filters: [{enabled: true,"
                + " diff_enabled: true}]}",
            "actor_train.use_dynamic_batching_in_train=true",
            "actor_train.max_tokens_per_microbatch_in_train=400",
            "actor_train.use_dynamic_batching_in_infer=true",
            "actor_train.max_tokens_per_microbatch_in_infer=400",
            "critic.use_dynamic_batching_in_train=true",
            "critic.max_tokens_per_microbatch_in_train=400",
            "critic.use_dynamic_batching_in_infer=true",
            "critic.max_tokens_per_microbatch_in_infer=400",
            "reference.use_dynamic_batching_in_infer=true",
            "reference.max_tokens_per_microbatch_in_infer=400"),
        Set.of(
            "every step",
            "every step trained on or skipped",
            "validation",
            "training",
            "actor",
            "critic",
            "reference",
            "`kl_penalty: full`",
            "old log-probs are computed",
            "actor and reference",
            "actor and old log-probs",
            "checkpoint",
            "critic and checkpoint",
            "micro-batches by token budget",
            "`ppo`",
            "`reward_clip`",
            "`advantage_clip`",
            "`train_infer_correction.is_weight`",
            "`metric_names: verl`"));
  }

  @Test
  void everythingOfGigpoIsInTheTable() throws Exception {
    check(
        run(
            "frozen_lake.yaml",
            "adv_estimator=gigpo",
            "actor_train.pg_variant=tis",
            "enable_reference=true",
            "metric_names=guide"),
        Set.of(
            "every step",
            "training",
            "actor",
            "`gigpo`",
            "`gigpo`, `step_reinforce`",
            "`tis`",
            "`metric_names: guide`"));
  }

  @Test
  void everythingOfOtherLossesIsInTheTable() throws Exception {
    for (String loss : List.of("topr", "cispo", "kimi15", "kl_cov")) {
      check(
          run("frozen_lake.yaml", "actor_train.pg_variant=" + loss),
          Set.of("every step", "training", "actor", "`" + loss + "`"));
    }
  }

  @Test
  void everythingOfContinuousBatchingIsInTheTable() throws Exception {
    check(
        run(
            "frozen_lake.yaml",
            "actor_infer.strategy_args.strategy_name=vllm",
            "max_tokens_per_step=2",
            "train_env_manager.generating_args={max_new_tokens: 2}"),
        Set.of("every step", "training", "actor", "`vllm`"));
  }

  @Test
  void everythingOfAsynchronousTrainingIsInTheTable() throws Exception {
    check(
        run("frozen_lake.yaml", "async_generation_ratio=1"),
        Set.of("every step", "training", "actor", "`async_generation_ratio`"));
  }

  /** Every metric has a row, and every row of {@code these} has a metric. */
  static void check(Set<String> metrics, Set<String> these) throws IOException {
    List<Row> rows = rows();
    Set<String> unknown = new TreeSet<>(metrics);
    unknown.removeIf(metric -> rows.stream().anyMatch(row -> row.fits(metric)));
    assertEquals(Set.of(), unknown, "not in configs/METRICS.md");
    Set<String> missing = new TreeSet<>();
    rows.stream()
        .filter(row -> these.contains(row.when()))
        .filter(row -> metrics.stream().noneMatch(row::fits))
        .forEach(row -> missing.add(row.name()));
    assertEquals(Set.of(), missing, "in configs/METRICS.md and not reported");
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(SmallRuns.config("METRICS.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        names(row.group(1)).forEach(name -> rows.add(new Row(name, row.group(2))));
      }
    }
    return rows;
  }

  /** Expands {@code a/{b,c}} to {@code a/b} and {@code a/c}. */
  private static List<String> names(String pattern) {
    Matcher choice = CHOICE.matcher(pattern);
    if (!choice.find()) {
      return List.of(pattern);
    }
    List<String> names = new ArrayList<>();
    for (String word : choice.group(1).split(",", -1)) {
      names.addAll(names(choice.replaceFirst(Matcher.quoteReplacement(word))));
    }
    return names;
  }

  /** Returns the metrics of a run of one step. */
  private Set<String> run(String config, String... overrides) throws Exception {
    List<String> all = new ArrayList<>(List.of("max_steps=1", "save_steps=1"));
    all.add("exp_name=run-" + runs++);
    all.addAll(List.of(overrides));
    TrainingRun started = SmallRuns.start(config, folder, all);
    started.outcome().get();
    return names(started.folder());
  }

  /** Returns the metrics of the run in {@code run}. */
  static Set<String> names(Path run) throws IOException {
    Set<String> names = new TreeSet<>();
    for (String line : Files.readAllLines(run.resolve("metrics.jsonl"))) {
      names.addAll(
          JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("metrics").keySet());
    }
    return names;
  }
}
