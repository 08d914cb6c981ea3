package roll.ui.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.runtime.option.SecretRedactor;
import roll.ui.file.FileBytes;

/**
 * The keys of a {@code config.yaml} that the list of runs shows.
 *
 * @param name of the experiment, or null
 * @param maxSteps or null
 * @param validates whether the run may have validations
 */
record ConfigSummary(@Nullable String name, @Nullable Integer maxSteps, boolean validates) {
  /** Name of the file in the folder of a run. */
  static final String NAME = "config.yaml";

  /** The summary of a missing file. */
  static final ConfigSummary NONE = new ConfigSummary(null, null, true);

  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_NAME = 200;

  /** A list has the keys of all its runs. */
  private static final int MAX_LISTED_BYTES = 128 << 10;

  private static final int MAX_LISTED_VALUE = 200;
  private static final int MAX_DIGITS = 9;

  /** Reads the first megabyte of {@code file}. */
  static ConfigSummary read(Path file) throws IOException {
    String text = head(file);
    String name = value(text, "exp_name:");
    String steps = value(text, "max_steps:");
    boolean number =
        steps != null
            && !steps.isEmpty()
            && steps.length() <= MAX_DIGITS
            && steps.chars().allMatch(c -> c >= '0' && c <= '9');
    return new ConfigSummary(
        name == null || name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME) + "…",
        number ? Integer.valueOf(steps) : null,
        !"0".equals(value(text, "eval_steps:")));
  }

  /** Returns the first megabyte of {@code file} without secrets. */
  static RedactedYaml whole(Path file) throws IOException {
    return RedactedYaml.of(head(file));
  }

  /**
   * Returns the values of {@code file} by key without secrets, long ones cut; none of a file that
   * is too large for a list.
   */
  static Map<String, String> keys(Path file) throws IOException {
    byte[] bytes = FileBytes.head(file, MAX_LISTED_BYTES + 1);
    Map<String, String> keys = new LinkedHashMap<>();
    if (bytes.length <= MAX_LISTED_BYTES) {
      RedactedYaml.of(new String(bytes, StandardCharsets.UTF_8))
          .keys()
          .forEach((key, value) -> keys.put(key, listed(value)));
    }
    return keys;
  }

  private static String listed(String value) {
    String shown = SecretRedactor.hidden(value);
    return shown.substring(0, Math.min(shown.length(), MAX_LISTED_VALUE));
  }

  private static String head(Path file) throws IOException {
    return new String(FileBytes.head(file, MAX_BYTES), StandardCharsets.UTF_8);
  }

  /** Returns the value of {@code key} at the beginning of a line, without quotes; or null. */
  private static @Nullable String value(String text, String key) {
    int at = text.startsWith(key) ? 0 : text.indexOf("\n" + key) + 1;
    if (at == 0 && !text.startsWith(key)) {
      return null;
    }
    int end = text.indexOf('\n', at);
    String value = text.substring(at + key.length(), end < 0 ? text.length() : end).strip();
    boolean quoted =
        value.length() > 1
            && (value.startsWith("'") || value.startsWith("\""))
            && value.charAt(value.length() - 1) == value.charAt(0);
    return quoted ? value.substring(1, value.length() - 1) : value;
  }
}
