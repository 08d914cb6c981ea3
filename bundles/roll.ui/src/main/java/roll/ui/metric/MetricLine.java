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
 * One line of {@code metrics.jsonl}, {@code {"step":12,"metrics":{"a":0.5,"b":null}}}, reused for
 * all lines. Names and values stay in the order of the file.
 */
public final class MetricLine {
  private static final String PHASES = "time/step_";
  private static final String TOTAL = "time/step_total";

  /** Maximum step number of a metrics line; a greater one is an error. */
  private static final int MAX_STEPS = 1 << 30;

  /** Maximum length of a metric name; longer names are ignored. */
  private static final int MAX_NAME = 1000;

  private String[] names = new String[64];
  private double[] values = new double[64];
  private int size;
  private int step;

  /** Creates an empty metric line. */
  public MetricLine() {}

  /** Returns the step, counted from 0. */
  public int step() {
    return step;
  }

  /** Returns the number of metrics in the line. */
  public int size() {
    return size;
  }

  /** Returns the name of metric {@code i}. */
  public String name(int i) {
    return names[i];
  }

  /** Returns the value of metric {@code i}; NaN for {@code null}. */
  public double value(int i) {
    return values[i];
  }

  /** Returns whether {@link #seconds} needs a metric: the time of a step or a phase. */
  static boolean isTime(String name) {
    return name.startsWith(PHASES);
  }

  /** Returns the seconds of the step: its total, or the sum of its phases. */
  double seconds() {
    double phases = 0;
    for (int i = 0; i < size; i++) {
      if (isTime(names[i]) && Double.isFinite(values[i])) {
        if (names[i].equals(TOTAL)) {
          return values[i];
        }
        phases += values[i];
      }
    }
    return phases;
  }

  /**
   * Reads a line of {@code metrics.jsonl}.
   *
   * @param wanted names to read; others are skipped
   * @return whether it is a line of metrics; otherwise the contents of this are undefined
   */
  public boolean read(byte[] bytes, int start, int length, Predicate<String> wanted) {
    String text = new String(bytes, start, length, StandardCharsets.UTF_8);
    JsonReader json = new JsonReader(new StringReader(text));
    json.setStrictness(Strictness.LENIENT); // other writers use NaN
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
      return metrics && step >= 0 && step < MAX_STEPS && json.peek() == JsonToken.END_DOCUMENT;
    } catch (IOException | NumberFormatException | IllegalStateException e) {
      return false;
    }
  }

  private void readMetrics(JsonReader json, Predicate<String> wanted) throws IOException {
    json.beginObject();
    while (json.hasNext()) {
      String name = json.nextName();
      if (name.length() > MAX_NAME || !wanted.test(name)) {
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
