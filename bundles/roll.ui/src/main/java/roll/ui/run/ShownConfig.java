package roll.ui.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code config.yaml} of a run, as it may be shown.
 *
 * @param text without secrets
 * @param name of the experiment, or null
 * @param maxSteps or null
 */
record ShownConfig(String text, @Nullable String name, @Nullable Integer maxSteps) {
  /** Name of the file in the folder of a run. */
  static final String NAME = "config.yaml";

  private static final int MOST_BYTES = 1 << 20;
  private static final Pattern EXP_NAME = Pattern.compile("(?m)^exp_name: *['\"]?(.*?)['\"]? *$");
  private static final Pattern MAX_STEPS = Pattern.compile("(?m)^max_steps: *(\\d{1,9}) *$");

  /** Reads it; of a very long one the beginning. */
  static ShownConfig read(Path file) throws IOException {
    String text = new String(FileEnds.head(file, MOST_BYTES), StandardCharsets.UTF_8);
    Matcher name = EXP_NAME.matcher(text);
    Matcher steps = MAX_STEPS.matcher(text);
    return new ShownConfig(
        new SecretLines().without(text),
        name.find() ? name.group(1) : null,
        steps.find() ? Integer.valueOf(steps.group(1)) : null);
  }
}
