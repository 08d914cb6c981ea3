package roll.ui;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/** Long metrics files: each step has all metrics, with realistic digits. */
public final class ManySteps {
  private ManySteps() {}

  /** The name of metric {@code i}. */
  public static String name(int i) {
    return "actor/metric_number_" + i + "/mean";
  }

  /**
   * Adds the steps from {@code from} to before {@code to} with {@code metrics} metrics, the time of
   * the step among them. The value of metric 0 is the number of the step.
   */
  public static void append(Path file, int from, int to, int metrics) throws IOException {
    SplittableRandom random = new SplittableRandom(from);
    StringBuilder line = new StringBuilder();
    try (OutputStream out =
        new BufferedOutputStream(
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            1 << 20)) {
      for (int step = from; step < to; step++) {
        line.setLength(0);
        line.append("{\"step\":").append(step).append(",\"metrics\":{\"").append(name(0));
        line.append("\":").append((double) step);
        for (int i = 1; i < metrics - 1; i++) {
          double value = random.nextDouble() - 0.5;
          line.append(",\"").append(name(i)).append("\":").append(value);
        }
        line.append(",\"time/step_total\":2.5}}\n");
        out.write(line.toString().getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
