package roll.core.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Removes files that an interrupted attempt wrote for steps that are repeated. Trackers cut back
 * their own files.
 */
public final class StaleStepFiles {
  /** Names of output folders with one file per step. */
  private static final List<String> BY_STEP = List.of("trajectories", "times", "not-finite");

  private static final Pattern STEP = Pattern.compile("step-(\\d{1,9})\\..*");

  private StaleStepFiles() {}

  /** Removes the files of {@code firstStep} and later in the run's {@code folder}. */
  public static void to(Path folder, int firstStep) throws IOException {
    for (String name : BY_STEP) {
      Path place = folder.resolve(name);
      if (!Files.isDirectory(place)) {
        continue;
      }
      List<Path> files;
      try (Stream<Path> listed = Files.list(place)) {
        files = listed.toList();
      }
      for (Path file : files) {
        Matcher step = STEP.matcher(String.valueOf(file.getFileName()));
        if (step.matches() && Integer.parseInt(step.group(1)) >= firstStep) {
          Files.delete(file);
        }
      }
    }
  }
}
