package roll.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Compares the results of two runs. */
final class RunAssertions {
  /** Metrics that depend on clock and machine. */
  private static final Pattern CLOCK =
      Pattern.compile(
          "time/|idle/|memory|system/(cpu|disk)|/tps$|vllm/(.*_second|.*_seconds_|time_|step_overhead)");

  private RunAssertions() {}

  /** Fails unless weights, optimizer and metrics, except those of clock and machine, are equal. */
  static void assertSameRun(Path expected, Path found) throws IOException {
    Path last = Path.of("checkpoint-" + FrozenLakeRuns.STEPS);
    try (Stream<Path> files = Files.walk(expected.resolve(last))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path relative = expected.relativize(file);
        assertArrayEquals(
            Files.readAllBytes(file),
            Files.readAllBytes(found.resolve(relative)),
            () -> relative + "");
      }
    }
    assertEquals(metrics(expected), metrics(found));
  }

  /**
   * Returns the metrics of each step of {@code run} as text, without those of clock and machine.
   */
  static Map<Integer, Map<String, String>> metrics(Path run) throws IOException {
    Map<Integer, Map<String, String>> steps = new TreeMap<>();
    for (String line : Files.readAllLines(run.resolve("metrics.jsonl"))) {
      JsonObject step = JsonParser.parseString(line).getAsJsonObject();
      Map<String, String> values = new TreeMap<>();
      step.getAsJsonObject("metrics")
          .asMap()
          .forEach(
              (name, value) -> {
                if (!CLOCK.matcher(name).find()) {
                  values.put(name, value.toString());
                }
              });
      steps.put(step.get("step").getAsInt(), values);
    }
    return steps;
  }
}
