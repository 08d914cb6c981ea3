package roll.ui.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.ui.file.FileEnds;
import roll.ui.file.Stamp;

/**
 * What the list of runs has of a file {@code config.yaml}.
 *
 * @param name of the experiment, or null
 * @param maxSteps or null
 * @param validates whether it may have validations
 */
record ShownConfig(@Nullable String name, @Nullable Integer maxSteps, boolean validates) {
  /** Name of the file in the folder of a run. */
  static final String NAME = "config.yaml";

  /** Nothing. */
  static final ShownConfig NONE = new ShownConfig(null, null, true);

  private static final int MOST_BYTES = 1 << 20;
  private static final int LONGEST = 200;
  private static final int MOST_DIGITS = 9;

  /** Reads it; of a very long one the beginning. */
  static ShownConfig read(Path file) throws IOException {
    String text = head(file);
    String name = value(text, "exp_name:");
    String steps = value(text, "max_steps:");
    boolean number =
        steps != null
            && !steps.isEmpty()
            && steps.length() <= MOST_DIGITS
            && steps.chars().allMatch(c -> c >= '0' && c <= '9');
    return new ShownConfig(
        name == null || name.length() <= LONGEST ? name : name.substring(0, LONGEST) + "…",
        number ? Integer.valueOf(steps) : null,
        !"0".equals(value(text, "eval_steps:")));
  }

  /** The whole of it without secrets; of a very long one the beginning. */
  static SecretYaml.Shown text(Path file) throws IOException {
    return Stamp.of(file) == null ? new SecretYaml.Shown("", Map.of()) : SecretYaml.without(head(file));
  }

  private static String head(Path file) throws IOException {
    return new String(FileEnds.head(file, MOST_BYTES), StandardCharsets.UTF_8);
  }

  /** What stands behind {@code key} at the beginning of a line, without quotes; or null. */
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
