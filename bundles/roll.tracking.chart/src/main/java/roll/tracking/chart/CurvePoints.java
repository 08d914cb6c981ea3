package roll.tracking.chart;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.option.UserException;

/**
 * The points of all curves, in memory and in a CSV file of the columns step, metric and value, so
 * that a resumed run draws the whole curve.
 */
final class CurvePoints implements AutoCloseable {
  private static final String HEADER = "step,metric,value";

  private final Path file;
  private final BufferedWriter out;
  private final Map<String, Curve> curves;

  private CurvePoints(Path file, BufferedWriter out, Map<String, Curve> curves) {
    this.file = file;
    this.out = out;
    this.curves = curves;
  }

  /**
   * The points of one metric by step.
   *
   * @param steps in the order of logging
   * @param values of the steps, finite
   */
  record Curve(List<Integer> steps, List<Double> values) {
    /** Returns the parts between gaps: steps that are farther apart than usual. */
    List<Curve> parts() {
      List<Integer> ways = new ArrayList<>();
      for (int i = 1; i < steps.size(); i++) {
        ways.add(steps.get(i) - steps.get(i - 1));
      }
      int usual = ways.isEmpty() ? 1 : ways.stream().sorted().toList().get(ways.size() / 2);
      List<Curve> parts = new ArrayList<>();
      int begin = 0;
      for (int i = 1; i <= steps.size(); i++) {
        if (i == steps.size() || ways.get(i - 1) > usual) {
          parts.add(new Curve(steps.subList(begin, i), values.subList(begin, i)));
          begin = i;
        }
      }
      return parts;
    }

    /** Joins {@code parts}, with NaN between them, which breaks the line. */
    static Curve joined(List<Curve> parts) {
      Curve all = new Curve(new ArrayList<>(), new ArrayList<>());
      for (Curve part : parts) {
        if (!all.steps().isEmpty()) {
          all.steps().add(all.last() + 1);
          all.values().add(Double.NaN);
        }
        all.steps().addAll(part.steps());
        all.values().addAll(part.values());
      }
      return all;
    }

    /** Returns the same steps with running means. */
    Curve smooth(int window) {
      return new Curve(steps, RunningMean.of(values, window));
    }

    /** Returns the last step of the curve points. */
    int last() {
      return steps.getLast();
    }
  }

  /**
   * Reads the points of {@code file} before {@code firstStep}, rewrites it without the others, and
   * continues it.
   *
   * @throws UserException if it is not a file of points or cannot be written
   */
  static CurvePoints open(Path file, int firstStep) {
    try {
      Map<String, Curve> curves = new LinkedHashMap<>();
      List<String> kept = new ArrayList<>(List.of(HEADER));
      if (Files.exists(file)) {
        read(file, firstStep, curves, kept);
      }
      Path beside = file.resolveSibling(file.getFileName() + ".new");
      Files.write(beside, kept, StandardCharsets.UTF_8);
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      BufferedWriter out =
          Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.APPEND);
      return new CurvePoints(file, out, curves);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be written: " + e, e);
    }
  }

  private static void read(Path file, int firstStep, Map<String, Curve> curves, List<String> kept)
      throws IOException {
    String text = Files.readString(file, StandardCharsets.UTF_8);
    // text after the last newline is incomplete after a crash
    List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (i == 0 && lines.getFirst().equals(HEADER)) {
        continue;
      }
      String[] cells = lines.get(i).split(",", -1);
      try {
        int step = Integer.parseInt(cells[0]);
        if (step < firstStep) {
          put(curves, step, cells[1], Double.parseDouble(cells[2]));
          kept.add(lines.get(i));
        }
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        throw new UserException(
            file + " line " + (i + 1) + ": expected " + HEADER + ", found " + lines.get(i), e);
      }
    }
  }

  /** Adds the drawn, finite {@code metrics}. */
  void add(int step, Map<String, Double> metrics) {
    try {
      for (var metric : metrics.entrySet()) {
        String name = metric.getKey();
        double value = metric.getValue();
        if ((Panel.SCORE.shows(name) || Panel.SUCCESS.shows(name)) && Double.isFinite(value)) {
          put(curves, step, name, value);
          out.write(step + "," + name + "," + value + "\n");
        }
      }
      out.flush();
    } catch (IOException e) {
      throw new UserException(file + ": cannot be written: " + e.getMessage(), e);
    }
  }

  private static void put(Map<String, Curve> curves, int step, String name, double value) {
    Curve curve =
        curves.computeIfAbsent(name, n -> new Curve(new ArrayList<>(), new ArrayList<>()));
    curve.steps().add(step);
    curve.values().add(value);
  }

  /** Returns all curves by the name of their metric. */
  Map<String, Curve> curves() {
    return curves;
  }

  /** Returns whether there are no points of any curve. */
  boolean isEmpty() {
    return curves.isEmpty();
  }

  /** Writes buffered points to the file. */
  void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw new UserException(file + ": cannot be written: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UserException(file + ": cannot be written: " + e.getMessage(), e);
    }
  }
}
