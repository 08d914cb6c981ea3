package roll.ui.metric;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * One line of {@code metrics.jsonl}, {@code {"step":12,"metrics":{"a":0.5,"b":null}}}: a place that
 * lines are read into one after the other. Names and values stay in the order of the file.
 */
public final class MetricLine {
  private static final String PHASES = "time/step_";
  private static final String TOTAL = "time/step_total";

  /** No run has so many: a greater number is a mistake. */
  private static final int MOST_STEPS = 1 << 30;

  /** What is longer is no name of a metric. */
  private static final int LONGEST_NAME = 1000;

  private String[] names = new String[64];
  private double[] values = new double[64];
  private int size;
  private int step;

  /** An empty line. */
  public MetricLine() {}

  /** The step, counted from 0. */
  public int step() {
    return step;
  }

  /** How many metrics were read. */
  public int size() {
    return size;
  }

  /** The name of metric {@code i}. */
  public String name(int i) {
    return names[i];
  }

  /** The value of metric {@code i}; NaN where the file says {@code null}. */
  public double value(int i) {
    return values[i];
  }

  /** Whether a metric tells how long a step or a phase of it took: {@link #seconds} needs it. */
  static boolean tellsTime(String name) {
    return name.startsWith(PHASES);
  }

  /** Seconds of the step: what it says, otherwise those of its phases together. */
  double seconds() {
    double phases = 0;
    for (int i = 0; i < size; i++) {
      if (tellsTime(names[i]) && Double.isFinite(values[i])) {
        if (names[i].equals(TOTAL)) {
          return values[i];
        }
        phases += values[i];
      }
    }
    return phases;
  }

  /**
   * Reads a line.
   *
   * @param wanted names to read; the others are passed over
   * @return whether it is a line of metrics; otherwise this holds nothing of use
   */
  public boolean read(byte[] bytes, int start, int length, Predicate<String> wanted) {
    String text = new String(bytes, start, length, StandardCharsets.UTF_8);
    JsonReader json = new JsonReader(new StringReader(text));
    json.setStrictness(Strictness.LENIENT); // other writers put NaN
    step = -1;
    size = 0;
    boolean metrics = false;
    try {
      json.beginObject();
      while (json.hasNext()) {
        String key = json.nextName();
        if (key.equals("step")) {
          step = json.nextInt();
        } else if (key.equals("metrics")) {
          metrics = true;
          readMetrics(json, wanted);
        } else {
          json.skipValue();
        }
      }
      json.endObject();
      return metrics && step >= 0 && step < MOST_STEPS && json.peek() == JsonToken.END_DOCUMENT;
    } catch (IOException | NumberFormatException | IllegalStateException e) {
      return false;
    }
  }

  private void readMetrics(JsonReader json, Predicate<String> wanted) throws IOException {
    json.beginObject();
    while (json.hasNext()) {
      String name = json.nextName();
      if (name.length() > LONGEST_NAME || !wanted.test(name)) {
        json.skipValue();
        continue;
      }
      switch (json.peek()) {
        case NUMBER -> add(name, json.nextDouble());
        case NULL -> {
          json.nextNull();
          add(name, Double.NaN);
        }
        case STRING -> {
          String text = json.nextString();
          if (text.equals("NaN") || text.endsWith("Infinity")) {
            add(name, Double.NaN);
          }
        }
        default -> json.skipValue();
      }
    }
    json.endObject();
  }

  private void add(String name, double value) {
    if (size == names.length) {
      names = Arrays.copyOf(names, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
    }
    names[size] = name;
    values[size++] = Double.isFinite(value) ? value : Double.NaN;
  }
}
