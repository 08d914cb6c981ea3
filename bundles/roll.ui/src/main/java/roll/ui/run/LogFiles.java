package roll.ui.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import roll.ui.file.FileEnds;
import roll.ui.file.Stamp;

/** The files {@code run.log} of a run; those that were full are numbered, the newest being 1. */
final class LogFiles {
  /** Name of the one that is written. */
  static final String NAME = "run.log";

  private static final int KEPT = 5;

  /** Most that is read of each file for its last lines. */
  private static final int MOST_BYTES = 1 << 20;

  private static final int LONGEST = 4_000;

  private LogFiles() {}

  /** Those that there may be. */
  static List<Path> oldestFirst(Path folder) {
    List<Path> files = new ArrayList<>();
    for (int n = KEPT; n > 0; n--) {
      files.add(folder.resolve(NAME + "." + n));
    }
    files.add(folder.resolve(NAME));
    return files;
  }

  /** The last {@code most} lines of the run in {@code folder}; long ones are cut. */
  static List<String> last(Path folder, int most) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : oldestFirst(folder).reversed()) {
      if (lines.size() >= most || Stamp.of(file) == null) {
        break;
      }
      lines.addAll(0, lines(file));
    }
    return List.copyOf(lines.subList(Math.max(0, lines.size() - most), lines.size()));
  }

  private static List<String> lines(Path file) throws IOException {
    byte[] tail = FileEnds.tail(file, MOST_BYTES);
    String text = new String(tail, StandardCharsets.UTF_8);
    if (tail.length == MOST_BYTES) {
      text = text.substring(text.indexOf('\n') + 1); // its first line is not whole
    }
    return text.lines()
        .map(line -> line.length() > LONGEST ? line.substring(0, LONGEST) + " …" : line)
        .map(String::stripTrailing)
        .toList();
  }
}
