package roll.ui.run;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which steps of a run have a file of trajectories. */
final class TrajectorySteps {
  private static final Pattern FILE = Pattern.compile("step-(\\d{1,9})\\.jsonl");

  private TrajectorySteps() {}

  /** Those of the run in {@code folder}, ascending. */
  static List<Integer> of(Path folder) throws IOException {
    Path place = folder.resolve("trajectories");
    if (!Files.isDirectory(place)) {
      return List.of();
    }
    TreeSet<Integer> steps = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(place, "step-*.jsonl")) {
      for (Path file : files) {
        Matcher step = FILE.matcher(String.valueOf(file.getFileName()));
        if (step.matches()) {
          steps.add(Integer.valueOf(step.group(1)));
        }
      }
    }
    return List.copyOf(steps);
  }
}
