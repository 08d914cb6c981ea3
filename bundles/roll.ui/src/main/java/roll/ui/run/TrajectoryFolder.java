package roll.ui.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The trajectory files of a run: only {@code step-N.jsonl} and pictures named by their digest are
 * found, and no links.
 *
 * @param run output folder of the run
 */
public record TrajectoryFolder(Path run) {
  private static final Pattern STEP = Pattern.compile("step-(0|[1-9][0-9]{0,8})\\.jsonl");
  private static final Pattern PICTURE = Pattern.compile("([0-9a-f]{64})\\.(png|jpg|gif|webp)");

  /** Returns the steps that have a file, ascending. */
  public List<Integer> steps() throws IOException {
    Path folder = folder(run, "trajectories");
    if (folder == null) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> STEP.matcher(String.valueOf(file.getFileName())))
          .filter(Matcher::matches)
          .map(step -> Integer.parseInt(step.group(1)))
          .filter(step -> file(step) != null)
          .sorted()
          .toList();
    }
  }

  /** Returns the file of {@code step}; null where there is none. */
  public @Nullable Path file(int step) {
    return file(folder(run, "trajectories"), "step-" + step + ".jsonl");
  }

  /** Returns the file with the times of the episodes of {@code step}; null where there is none. */
  public @Nullable Path times(int step) {
    return file(folder(run, "times"), "step-" + step + ".jsonl");
  }

  /** Returns the picture {@code name}; null where there is none, or the name is invalid. */
  public @Nullable Path picture(String name) {
    if (!PICTURE.matcher(name).matches()) {
      return null;
    }
    Path folder = folder(run, "trajectories");
    return folder == null ? null : file(folder(folder, "pictures"), name);
  }

  /** Returns the name of the picture in the field {@code file} of a line; null if it is invalid. */
  public static @Nullable String pictureName(String file) {
    String name = file.startsWith("pictures/") ? file.substring("pictures/".length()) : file;
    return PICTURE.matcher(name).matches() ? name : null;
  }

  /**
   * Returns the folder {@code name} in {@code parent}; null where there is none, or it is a link.
   */
  private static @Nullable Path folder(Path parent, String name) {
    Path folder = parent.resolve(name);
    return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) ? folder : null;
  }

  private static @Nullable Path file(@Nullable Path folder, String name) {
    Path file = folder == null ? null : folder.resolve(name);
    return file != null && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? file : null;
  }
}
