package roll.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Undoes a replacement.
 *
 * @param name file that was put into the folder
 * @param put its size and time, to recognize files that others put there later
 */
record Rollback(String name, DeployFolder.Stamp put) {
  private static final String JAR = ".jar";
  private static final Pattern TEXT = Pattern.compile("\\Gundo ([^/\n]+\\.jar)\n(\\d+) (\\S+)\n");

  /** Returns the text that {@link #parse} reads. */
  String text() {
    return "undo " + name + "\n" + put.size() + " " + put.time() + "\n";
  }

  /** Parses the texts of several, written one after the other, up to the first incomplete one. */
  static List<Rollback> parse(String text) {
    List<Rollback> all = new ArrayList<>();
    for (Matcher found = TEXT.matcher(text); found.find(); ) {
      all.add(
          new Rollback(
              found.group(1),
              new DeployFolder.Stamp(
                  Long.parseLong(found.group(2)), FileTime.from(Instant.parse(found.group(3))))));
    }
    return all;
  }

  /**
   * Restores the files in {@code beside} to {@code folder}, unless another file was put there. Can
   * be repeated after an interruption.
   *
   * @return restored files
   */
  List<String> run(Path beside, Path folder) throws IOException {
    Path target = folder.resolve(name);
    Path older = beside.resolve(name);
    List<String> undone = new ArrayList<>();
    if (!isOurs(target, older)) {
      return undone;
    }
    try (Stream<Path> files = Files.list(beside)) {
      for (Path file : files.filter(f -> f.toString().endsWith(JAR)).sorted().toList()) {
        Path place = folder.resolve(file.getFileName());
        if (!file.equals(older) && Files.notExists(place, LinkOption.NOFOLLOW_LINKS)) {
          Files.move(file, place, StandardCopyOption.ATOMIC_MOVE);
          undone.add(file.getFileName().toString());
        }
      }
    }
    // last, because it shows whether the others are still to be restored
    if (Files.exists(older)) {
      Files.move(older, target, StandardCopyOption.ATOMIC_MOVE);
      undone.addFirst(name);
    } else if (Files.deleteIfExists(target)) {
      undone.addFirst(name);
    }
    return undone;
  }

  /** Returns whether {@code target} is the new file, the old file, or missing. */
  private boolean isOurs(Path target, Path older) throws IOException {
    return !Files.exists(target)
        || DeployFolder.stamp(target).equals(put)
        || (Files.exists(older) && Files.mismatch(older, target) < 0);
  }
}
