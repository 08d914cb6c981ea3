package roll.shell.run;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.shell.terminal.Json;
import roll.shell.terminal.Table;

/** Lists the run folders in an output folder: those with metrics, up to two levels deep. */
final class OutputRuns {
  private static final String METRICS = "metrics.jsonl";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

  /** Maximum depth of run folders; runs of a sweep are in its folder. */
  private static final int DEPTH = 2;

  /** Maximum bytes of the last line of metrics. */
  private static final int TAIL = 1 << 18;

  /** Maximum number of listed runs. */
  private static final int MOST = 50;

  private record Written(Path folder, FileTime last) {}

  private OutputRuns() {}

  /**
   * Returns a row for each run in {@code output}, the most recent first; empty if there is none.
   *
   * @param excluded folders to leave out
   */
  static String list(Path output, Set<Path> excluded) {
    List<Written> runs = new ArrayList<>();
    try (Stream<Path> folders = Files.walk(output, DEPTH)) {
      for (Path folder : folders.toList()) {
        Path metrics = folder.resolve(METRICS);
        if (Files.isRegularFile(metrics)
            && !excluded.contains(folder.toAbsolutePath().normalize())) {
          runs.add(new Written(folder, Files.getLastModifiedTime(metrics)));
        }
      }
    } catch (IOException | UncheckedIOException e) {
      return ""; // the folder does not exist or is being deleted
    }
    if (runs.isEmpty()) {
      return "";
    }
    runs.sort(Comparator.comparing(Written::last).reversed());
    Table table = new Table().row("folder", "step", "score", "last written");
    runs.stream().limit(MOST).forEach(run -> row(table, run));
    int more = runs.size() - MOST;
    return table + (more > 0 ? "\n… and " + more + " more" : "");
  }

  private static void row(Table table, Written run) {
    Map<String, @Nullable Object> last = last(run.folder().resolve(METRICS));
    table.row(
        run.folder().toString(),
        last.get("step") instanceof Number step ? String.valueOf(step.longValue()) : "–",
        RunReport.score(last.get("metrics") instanceof Map<?, ?> metrics ? metrics : Map.of()),
        TIME.format(run.last().toInstant().atZone(ZoneId.systemDefault())));
  }

  /** Returns the last complete line of {@code metrics}; empty if it cannot be read. */
  private static Map<String, @Nullable Object> last(Path metrics) {
    try (RandomAccessFile file = new RandomAccessFile(metrics.toFile(), "r")) {
      long from = Math.max(0, file.length() - TAIL);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      String tail = new String(bytes, StandardCharsets.UTF_8);
      int end = tail.lastIndexOf('\n');
      int start = end < 0 ? -1 : tail.lastIndexOf('\n', end - 1);
      boolean whole = end >= 0 && (start >= 0 || from == 0);
      return Json.object(metrics.toString(), whole ? tail.substring(start + 1, end) : "{}");
    } catch (IOException | UserException e) {
      return new HashMap<>(); // only the row of this file is incomplete
    }
  }
}
