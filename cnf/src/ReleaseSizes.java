import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The sizes of a release's files in its documentation, lines of MB and a file. */
final class ReleaseSizes {
  private static final Pattern ROW = Pattern.compile("(?m)^ +(\\d+) (roll-\\S+)");
  private static final double MEGABYTE = 1e6;

  private ReleaseSizes() {}

  /**
   * Compares with those files of {@code folder} that exist.
   *
   * @param document Markdown with an ellipsis in place of the version
   * @throws Mistake if a file is larger or smaller by more than 2 MB; it names all of them
   */
  static void check(Path document, Path folder, String version) throws IOException, Mistake {
    List<String> wrong = new ArrayList<>();
    for (var row : ROW.matcher(Files.readString(document)).results().toList()) {
      Path file = folder.resolve(row.group(2).replace("…", version));
      double size = Files.exists(file) ? Files.size(file) / MEGABYTE : Double.NaN;
      if (Math.abs(size - Integer.parseInt(row.group(1))) > 2) {
        wrong.add("%s has %.0f MB, not %s".formatted(file.getFileName(), size, row.group(1)));
      }
    }
    if (!wrong.isEmpty()) {
      throw new Mistake(1, document.getFileName() + ": " + String.join("; ", wrong));
    }
  }
}
