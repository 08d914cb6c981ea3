package roll.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.core.report.MetricAliases.Alias;
import roll.runtime.config.TrackingConfig;

/** Names of metrics in other systems: their values, and their rows in the document. */
class MetricAliasesTest {
  private static final Pattern ROW =
      Pattern.compile("\\| `([^`]+)` \\* \\| (.*) \\| `metric_names: (\\w+)`.* \\|");

  private static final Pattern NAME = Pattern.compile("`([^`]+)`");
  private static final Pattern CHOICE = Pattern.compile("\\{([^}]+)}");

  private static Map<String, Double> with(String names, Map<String, Double> metrics) {
    Map<String, Double> all = new LinkedHashMap<>(metrics);
    MetricAliases.of(new TrackingConfig(List.of(), Map.of(), names)).add(all);
    all.keySet().removeAll(metrics.keySet());
    return all;
  }

  @Test
  void aMetricHasItsOtherNameToo() {
    Map<String, Double> step =
        Map.of(
            "actor/pg_loss", 0.25,
            "actor/policykl", -0.5,
            "critic/rewards/mean", 3.0,
            "tokens/non_prompt_length/max", 7.0,
            "global_seqlen/actor_train/mean", 1000.0,
            "time/actor_train/train_step/total", 4.0);
    assertEquals(
        Map.of(
            "policy/loss", 0.25,
            "critic/reward/mean", 3.0,
            "time/actor_train", 4.0,
            "tps/actor_train", 250.0),
        with("guide", step));
    assertEquals(
        Map.of(
            "actor/ppo_kl", 0.5,
            "response_length/max", 7.0,
            "timing_s/update_actor", 4.0,
            "perf/total_num_tokens", 1000.0),
        with("verl", step));
    assertEquals(Map.of(), with("roll", step));
  }

  @Test
  void whatAStepLacksHasNoOtherName() {
    assertEquals(
        Map.of("time/actor_train", 0.0),
        with(
            "guide",
            Map.of(
                "global_seqlen/actor_train/mean", 9.0, "time/actor_train/train_step/total", 0.0)));
    assertEquals(Map.of(), with("verl", Map.of("env/Lake/success", 1.0)));
  }

  @Test
  void aMetricOfThatNameIsNotReplaced() {
    assertEquals(Map.of(), with("guide", Map.of("actor/pg_loss", 1.0, "policy/loss", 2.0)));
  }

  @Test
  void noNumberStaysNone() {
    Map<String, Double> guide = with("guide", Map.of("actor/pg_loss", Double.NaN));
    assertEquals(Double.NaN, guide.get("policy/loss"));
  }

  @Test
  void theDocumentHasTheSameTables() throws IOException {
    for (String names : MetricAliases.TABLES.keySet()) {
      assertEquals(
          Set.copyOf(Objects.requireNonNull(MetricAliases.TABLES.get(names))),
          Set.copyOf(documented(names)),
          names);
    }
  }

  /** Each alias belongs to a documented metric and has a name of its own. */
  @Test
  void eachStandsForAMetric() throws IOException {
    Set<String> metrics = new TreeSet<>();
    for (String line : lines()) {
      Matcher name = Pattern.compile("\\| `([^`]+)`.*").matcher(line);
      if (name.matches() && !ROW.matcher(line).matches()) {
        metrics.addAll(names(name.group(1)));
      }
    }
    Set<String> unknown = new TreeSet<>();
    for (List<Alias> table : MetricAliases.TABLES.values()) {
      for (Alias alias : table) {
        assertTrue(!metrics.contains(alias.name()), alias.name());
        unknown.add(alias.metric());
        unknown.add(alias.by() == null ? alias.metric() : alias.by());
      }
    }
    unknown.removeIf(
        target ->
            metrics.stream()
                .anyMatch(metric -> target.matches(metric.replaceAll("<[^>]+>", "[^/]+"))));
    assertEquals(Set.of(), unknown);
  }

  private static List<String> lines() throws IOException {
    String root = Objects.requireNonNull(System.getProperty("roll.root"));
    return Files.readAllLines(Path.of(root, "configs/METRICS.md"));
  }

  private static List<Alias> documented(String of) throws IOException {
    List<Alias> aliases = new ArrayList<>();
    for (String line : lines()) {
      Matcher row = ROW.matcher(line);
      if (!row.matches() || !row.group(3).equals(of)) {
        continue;
      }
      List<String> metrics =
          NAME.matcher(row.group(2)).results().map((MatchResult r) -> r.group(1)).toList();
      @Nullable String by = row.group(2).contains("` by `") ? metrics.get(1) : null;
      List<String> names = names(row.group(1));
      List<String> targets = names(metrics.getFirst());
      assertEquals(names.size(), targets.size(), line);
      for (int i = 0; i < names.size(); i++) {
        int factor = row.group(2).startsWith("−") ? -1 : 1;
        aliases.add(new Alias(names.get(i), targets.get(i), by, factor));
      }
    }
    return aliases;
  }

  /** {@code a/{b,c}} is {@code a/b} and {@code a/c}. */
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
}
