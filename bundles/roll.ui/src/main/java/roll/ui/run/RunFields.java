package roll.ui.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The values of a run by field, as {@link roll.runtime.listing.RunQuery} names them. Files are read
 * when a field needs them.
 */
final class RunFields {
  private final RunSummary run;
  private final RunFolder folder;
  private final RunNotes notes;
  private final long deadline;
  private boolean complete = true;

  /**
   * The fields of {@code run}, whose files are in {@code folder}.
   *
   * @param deadline by {@link System#nanoTime}: then metrics are no longer read
   */
  RunFields(RunSummary run, RunFolder folder, long deadline) throws IOException {
    this.run = run;
    this.folder = folder;
    this.deadline = deadline;
    notes = folder.notes();
  }

  RunSummary run() {
    return run;
  }

  RunNotes notes() {
    return notes;
  }

  /** Returns whether all metrics were read that were asked for. */
  boolean complete() {
    return complete;
  }

  /** Returns the value of {@code field} for a column: a text, a number, or null. */
  @Nullable Object value(String field) throws IOException {
    List<?> all = values(field);
    return switch (all.size()) {
      case 0 -> null;
      case 1 -> all.getFirst();
      default -> all.stream().distinct().map(String::valueOf).collect(Collectors.joining(", "));
    };
  }

  /** Returns all values of {@code field}: texts, or numbers as {@link Double}. */
  List<?> values(String field) throws IOException {
    return switch (field) {
      case "name" -> List.of(run.name());
      case "folder" -> List.of(run.folder());
      case "state" -> List.of(run.state());
      case "step" -> List.of((double) run.step());
      case "started" -> number(run.started());
      case "ended" -> number(run.ended());
      case "tag" -> notes.tags();
      case "note" -> notes.note().isEmpty() ? List.of() : List.of(notes.note());
      case "env" -> keys("env_type");
      default -> {
        Metric metric = Metric.of(field);
        yield metric == null ? keys(field) : metric(metric);
      }
    };
  }

  /** Returns whether {@code word} in lower case is in one of the texts of the run. */
  boolean contains(String word) {
    List<String> texts = new ArrayList<>(notes.tags());
    texts.addAll(List.of(run.name(), run.folder(), run.state(), run.phase(), notes.note()));
    if (run.number() != null) {
      texts.add(String.valueOf(run.number()));
    }
    return texts.stream().anyMatch(text -> RunFilter.lower(text).contains(word));
  }

  private static List<Double> number(@Nullable Long millis) {
    return millis == null ? List.of() : List.of(millis.doubleValue());
  }

  /**
   * A metric and which of its values.
   *
   * @param kind {@code last}, {@code min} or {@code max}
   */
  private record Metric(String kind, String name) {
    static @Nullable Metric of(String field) {
      int open = field.indexOf('(');
      if (open > 0 && field.endsWith(")")) {
        String kind = field.substring(0, open);
        if (List.of("last", "min", "max").contains(kind)) {
          return new Metric(kind, field.substring(open + 1, field.length() - 1));
        }
      }
      return field.contains("/") ? new Metric("last", field) : null;
    }
  }

  private List<Double> metric(Metric metric) throws IOException {
    if (metric.kind().equals("last") && HeadlineMetrics.has(metric.name())) {
      Double last = run.headline().get(metric.name());
      return last == null || !Double.isFinite(last) ? List.of() : List.of(last);
    }
    complete &= folder.totals().read(deadline);
    MetricTotals.Total total = folder.totals().of(metric.name());
    if (total == null) {
      return List.of();
    }
    return List.of(
        switch (metric.kind()) {
          case "min" -> total.min();
          case "max" -> total.max();
          default -> total.last();
        });
  }

  /** Returns the values of the key {@code name}, of keys that end with it, or of its elements. */
  private List<String> keys(String name) throws IOException {
    Map<String, String> keys = folder.keys();
    String exact = keys.get(name);
    if (exact != null) {
      return List.of(exact);
    }
    String end = "." + name;
    return keys.keySet().stream()
        .filter(key -> ("." + withoutIndex(key)).endsWith(end) || ("." + key).endsWith(end))
        .map(keys::get)
        .filter(Objects::nonNull)
        .toList();
  }

  private static String withoutIndex(String key) {
    int dot = key.lastIndexOf('.');
    boolean index = dot > 0 && key.substring(dot + 1).chars().allMatch(Character::isDigit);
    return index ? key.substring(0, dot) : key;
  }
}
