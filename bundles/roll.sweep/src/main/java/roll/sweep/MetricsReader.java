package roll.sweep;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import roll.runtime.sweep.SweptRun.CurvePoint;

/**
 * The contents of a run's {@code metrics.jsonl}; invalid lines, such as one that is being written,
 * are skipped.
 *
 * @param steps number of valid lines
 * @param names of all metrics
 * @param curves of the requested metrics by name, without non-finite values
 */
record MetricsReader(int steps, Set<String> names, Map<String, List<CurvePoint>> curves) {
  static final String FILE = "metrics.jsonl";

  /** Reads the file in {@code folder}; the result is empty if there is none. */
  static MetricsReader of(Path folder, Predicate<String> wanted) throws IOException {
    Path file = folder.resolve(FILE);
    int steps = 0;
    Set<String> names = new TreeSet<>();
    Map<String, TreeMap<Integer, Double>> curves = new TreeMap<>();
    if (Files.isRegularFile(file)) {
      try (BufferedReader lines = Files.newBufferedReader(file)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          Map<String, Double> metrics = new TreeMap<>();
          int step = read(line, names, wanted, metrics);
          if (step >= 0) {
            steps++;
            metrics.forEach(
                (name, value) ->
                    curves.computeIfAbsent(name, n -> new TreeMap<>()).put(step, value));
          }
        }
      }
    }
    Map<String, List<CurvePoint>> points = new TreeMap<>();
    curves.forEach(
        (name, values) -> {
          List<CurvePoint> curve = new ArrayList<>();
          values.forEach((step, value) -> curve.add(new CurvePoint(step, value)));
          points.put(name, curve);
        });
    return new MetricsReader(steps, names, points);
  }

  /** Reads a line; returns its step, or −1 if it is invalid. */
  private static int read(
      String line, Set<String> names, Predicate<String> wanted, Map<String, Double> metrics)
      throws IOException {
    int step = -1;
    try (JsonReader reader = new JsonReader(new StringReader(line))) {
      reader.beginObject();
      while (reader.hasNext()) {
        switch (reader.nextName()) {
          case "step" -> step = reader.nextInt();
          case "metrics" -> values(reader, names, wanted, metrics);
          default -> reader.skipValue();
        }
      }
      reader.endObject();
      return step;
    } catch (EOFException
        | MalformedJsonException
        | IllegalStateException
        | NumberFormatException e) {
      return -1;
    }
  }

  private static void values(
      JsonReader reader, Set<String> names, Predicate<String> wanted, Map<String, Double> metrics)
      throws IOException {
    reader.beginObject();
    while (reader.hasNext()) {
      String name = reader.nextName();
      names.add(name);
      if (wanted.test(name) && reader.peek() == JsonToken.NUMBER) {
        metrics.put(name, reader.nextDouble());
      } else {
        reader.skipValue();
      }
    }
    reader.endObject();
  }
}
