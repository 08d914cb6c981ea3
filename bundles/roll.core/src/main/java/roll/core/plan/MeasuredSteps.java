package roll.core.plan;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.RunEstimates.Measured;

/**
 * Step times measured by an earlier run of the same configuration in the output folder. They cannot
 * be predicted otherwise, as they depend on the machine and on response lengths.
 */
final class MeasuredSteps {
  /** Keys that change when a run ends, what it is called and where it writes, not its steps. */
  private static final Set<String> ASIDE =
      Set.of(
          "exp_name",
          "output_dir",
          "logging_dir",
          "render_save_dir",
          "checkpoint_config",
          "metric_names",
          "max_steps",
          "save_steps",
          "max_ckpt_to_keep",
          "resume_from_checkpoint",
          "max_skipped_steps");

  private static final int MOST_STEPS = 50;
  private static final int TAIL = 4 << 20;
  private static final long MOST_CONFIG = 4L << 20;
  private static final Pattern KEY = Pattern.compile("([A-Za-z_]\\w*):.*");

  private MeasuredSteps() {}

  /** The mean of the newest steps; null where there are none, or the configuration was another. */
  static @Nullable Measured of(LoadedConfig config) {
    Path folder = config.run().outputDir();
    Path metrics = folder.resolve("metrics.jsonl");
    Path before = folder.resolve("config.yaml");
    try {
      if (!plain(metrics) || !plain(before) || Files.size(before) > MOST_CONFIG) {
        return null;
      }
      if (!parts(Files.readString(before)).equals(parts(config.effectiveYaml()))) {
        return null;
      }
      List<Double> seconds = seconds(metrics);
      return seconds.isEmpty()
          ? null
          : new Measured(
              seconds.size(),
              seconds.stream().mapToDouble(Double::doubleValue).average().orElseThrow(),
              metrics);
    } catch (IOException e) {
      return null; // an unreadable folder is reported when the run starts
    }
  }

  private static boolean plain(Path file) {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  /** The lines of each key at the top that matters; both texts are written by the same hand. */
  static Map<String, String> parts(String yaml) {
    Map<String, String> parts = new TreeMap<>();
    String key = "";
    for (String line : yaml.lines().toList()) {
      var top = KEY.matcher(line);
      if (top.matches()) {
        key = top.group(1);
      }
      parts.merge(key, line, (all, more) -> all + "\n" + more);
    }
    parts.keySet().removeAll(ASIDE);
    return parts;
  }

  private static List<Double> seconds(Path file) throws IOException {
    List<Double> seconds = new ArrayList<>();
    for (String line : tail(file).lines().toList()) {
      Double time = time(line);
      if (time != null && Double.isFinite(time) && time >= 0) {
        seconds.add(time);
      }
    }
    return seconds.subList(Math.max(0, seconds.size() - MOST_STEPS), seconds.size());
  }

  private static String tail(Path file) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long from = Math.max(0, in.length() - TAIL);
      in.seek(from);
      byte[] bytes = new byte[(int) (in.length() - from)];
      in.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  /** The time in a line; null if the line is truncated or has no such metric. */
  private static @Nullable Double time(String line) {
    try {
      return JsonParser.parseString(line) instanceof JsonObject object
              && object.get("metrics") instanceof JsonObject metrics
              && metrics.get("time/step_total") instanceof JsonPrimitive total
              && total.isNumber()
          ? total.getAsDouble()
          : null;
    } catch (JsonParseException | NumberFormatException e) {
      return null;
    }
  }
}
