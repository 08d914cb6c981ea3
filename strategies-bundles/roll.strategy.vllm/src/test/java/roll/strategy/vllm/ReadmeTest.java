package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.option.Option;
import roll.api.option.OptionType;
import roll.api.strategy.Sampling;
import roll.runtime.option.OptionValue;
import roll.strategy.vllm.config.EngineOptions;

/** The README's tables have all keys, and the page of metrics all metrics, of the engine. */
final class ReadmeTest {
  private static final Pattern ROW = Pattern.compile("^\\| `(vllm/[^`]+)`");
  private static final Pattern CHOICE = Pattern.compile("\\{([^}]+)}");

  private static List<String> lines(String file) throws IOException {
    return Files.readAllLines(Path.of(System.getProperty("roll.root"), file));
  }

  private static List<String> readme() throws IOException {
    return lines("strategies-bundles/roll.strategy.vllm/README.md");
  }

  @Test
  void everyKeyStandsInTheTable() throws IOException {
    List<String> rows =
        readme().stream().filter(line -> line.matches(".*\\|.*\\|.*\\|.*\\|")).toList();
    List<String> expected =
        EngineOptions.known().stream()
            .map(
                option ->
                    "| `%s` | %s |%s | %s |"
                        .formatted(
                            option.name(),
                            OptionValue.name(option.type()),
                            option.defaultValue() == null ? "" : " " + option.defaultValue(),
                            option.description()))
            .toList();
    assertEquals(expected, rows.subList(2, rows.size()));
  }

  @Test
  void everyMetricStandsInTheTableOfMetrics() throws IOException {
    Set<String> written =
        lines("configs/METRICS.md").stream()
            .flatMap(line -> ROW.matcher(line).results())
            .flatMap(row -> names(row.group(1)))
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(written.removeAll(VllmSeeingTest.METRICS), "of models that see");
    assertTrue(written.removeAll(SpeculationTest.METRICS), "of speculative decoding");
    try (Tiny tiny = new Tiny();
        VllmSession session = tiny.open()) {
      assertEquals(Set.of(), session.metrics().keySet());
      Tiny.one(session, Tiny.request(new int[] {1, 2, 3}, Sampling.of(9), 1));
      assertEquals(written, session.metrics().keySet());
      assertEquals(Set.of(), session.metrics().keySet());
    }
  }

  /** Expands {@code a/{b,c}} to {@code a/b} and {@code a/c}. */
  private static Stream<String> names(String pattern) {
    Matcher choice = CHOICE.matcher(pattern);
    return choice.find()
        ? Stream.of(choice.group(1).split(",")).map(choice::replaceFirst).flatMap(ReadmeTest::names)
        : Stream.of(pattern);
  }

  @Test
  void idleAndForeignKeysAreNamed() throws IOException {
    String text = String.join("\n", readme());
    EngineOptions idle = all(text, "vllm", "nothing: ([^.]+)\\.");
    idle.read();
    assertEquals(11, idle.notices().size());
    for (MatchResult row :
        Pattern.compile("\\| `(\\w+)` \\| `(\\w+)` \\|").matcher(text).results().toList()) {
      Option<?> option =
          EngineOptions.known().stream()
              .filter(known -> known.name().equals(row.group(2)))
              .findFirst()
              .orElseThrow();
      Object value =
          option.type() instanceof OptionType.Int whole
              ? (Object) Math.max(1, whole.min())
              : (Object) 0.25;
      assertTrue(
          new EngineOptions(
                  Tiny.worker(
                      Path.of("."), Dtype.FP32, "sglang", Tiny.options(row.group(1), value)))
              .read()
              .has(option));
    }
  }

  /** Options with all keys that the first group of {@code place} names. */
  private static EngineOptions all(String text, String strategy, String place) {
    MatchResult found = Pattern.compile(place).matcher(text).results().findFirst().orElseThrow();
    Object[] given =
        Pattern.compile("`(\\w+)`")
            .matcher(found.group(1))
            .results()
            .flatMap(key -> Stream.of((Object) key.group(1), true))
            .toArray();
    return new EngineOptions(Tiny.worker(Path.of("."), Dtype.FP32, strategy, Tiny.options(given)));
  }
}
