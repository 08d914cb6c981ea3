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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.option.Option;
import roll.api.option.OptionType;
import roll.api.strategy.Sampling;
import roll.runtime.option.OptionValue;

/** The README's tables are what the engine reads and tells. */
final class ReadmeTest {
  private static List<String> readme() throws IOException {
    return Files.readAllLines(
        Path.of(
            System.getProperty("roll.root"), "strategies-bundles/roll.strategy.vllm/README.md"));
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
  void everyMetricStandsInTheTable() throws IOException {
    Set<String> written =
        readme().stream()
            .flatMap(line -> Pattern.compile("^\\| `(vllm/[^`]+)` \\|").matcher(line).results())
            .map((MatchResult row) -> row.group(1))
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
            .flatMap(key -> java.util.stream.Stream.of((Object) key.group(1), true))
            .toArray();
    return new EngineOptions(Tiny.worker(Path.of("."), Dtype.FP32, strategy, Tiny.options(given)));
  }
}
