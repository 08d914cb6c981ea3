package roll.ui.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.ui.file.FileEnds;
import roll.ui.file.FileLines;
import roll.ui.file.Stamp;

/**
 * What {@code run.log} tells of a run: swaps, notices, failures, which bundles served. A log is
 * read once and then only where it has grown, also when it was renamed in the meantime because it
 * was full.
 */
final class RunHistory {
  private static final int MOST = 500;
  private static final Pattern FROM_STEP =
      Pattern.compile("from step (\\d{1,9}) on(: | served by )(.*)");

  /** The class with which a stack begins is in so many characters. */
  private static final int LONGEST_CLASS = 200;

  private static final Pattern STACK = Pattern.compile("[\\w.$]+(Exception|Error)\\b");

  /** Lines of every step, or of no interest here. */
  private static final List<String> PASSED =
      List.of("phase ", "memory ", "saved ", "reopening: ", "ended after step ", "ended");

  private final Path folder;
  private final Map<Object, Long> read = new HashMap<>();
  private final List<LoggedSwap> swaps = new ArrayList<>();
  private final Set<String> notices = new LinkedHashSet<>();
  private List<String> served = List.of();

  /** Of the run in {@code folder}, nothing read. */
  RunHistory(Path folder) {
    this.folder = folder;
  }

  /**
   * What was read.
   *
   * @param swaps the last ones, oldest first
   * @param notices and failures, the last ones, oldest first, each once
   * @param served the bundles and versions in use last
   */
  record Told(List<LoggedSwap> swaps, List<String> notices, List<String> served) {}

  /**
   * A plugin that was replaced.
   *
   * @param time ms since 1970; null where the line does not tell
   * @param step the first with the new one
   * @param line such as {@code loss ppo → gspo}
   */
  record LoggedSwap(@Nullable Long time, int step, String line) {}

  /** Reads what is new, and tells all. */
  synchronized Told told() throws IOException {
    Map<Path, Stamp> files = new LinkedHashMap<>();
    for (Path file : LogFiles.oldestFirst(folder)) {
      Stamp stamp = Stamp.of(file);
      if (stamp != null) {
        files.put(file, stamp);
      }
    }
    Set<Object> keys = new HashSet<>();
    files.forEach((file, stamp) -> keys.add(key(file, stamp)));
    read.keySet().retainAll(keys);
    if (files.entrySet().stream().anyMatch(file -> cut(file.getKey(), file.getValue()))) {
      clear();
    }
    for (Map.Entry<Path, Stamp> file : files.entrySet()) {
      read(file.getKey(), key(file.getKey(), file.getValue()), file.getValue().size());
    }
    return new Told(List.copyOf(swaps), List.copyOf(notices), served);
  }

  /** Whether it has less than was read of it: it was cut short, or is another one. */
  private boolean cut(Path file, Stamp stamp) {
    return read.getOrDefault(key(file, stamp), 0L) > stamp.size();
  }

  private static Object key(Path file, Stamp stamp) {
    return stamp.key() == null ? file : stamp.key();
  }

  private void clear() {
    read.clear();
    swaps.clear();
    notices.clear();
    served = List.of();
  }

  private void read(Path file, Object key, long size) throws IOException {
    long from = read.getOrDefault(key, 0L);
    if (from >= size) {
      return;
    }
    try (FileChannel channel = FileEnds.open(file)) {
      read.put(key, FileLines.read(channel, from, size, (_, b, s, l) -> take(b, s, l)));
    }
  }

  private boolean take(byte[] bytes, int start, int length) {
    LoggedLine logged = LoggedLine.of(new String(bytes, start, length, StandardCharsets.UTF_8));
    if (logged == null || PASSED.stream().anyMatch(logged.text()::startsWith)) {
      return true;
    }
    String line = logged.text();
    Matcher fromStep = FROM_STEP.matcher(line);
    if (!fromStep.matches()) {
      if (!isStack(line) && !line.contains(" computes with ")) {
        notices.remove(line);
        notices.add(line);
        if (notices.size() > MOST) {
          notices.remove(notices.iterator().next());
        }
      }
    } else if (fromStep.group(2).equals(": ")) {
      Integer step = Integer.valueOf(fromStep.group(1));
      swaps.add(new LoggedSwap(logged.millis(), step, fromStep.group(3)));
      if (swaps.size() > MOST) {
        swaps.removeFirst();
      }
    } else {
      served = List.of(fromStep.group(3).split(", ", -1));
    }
    return true;
  }

  private static boolean isStack(String line) {
    return STACK.matcher(line.substring(0, Math.min(line.length(), LONGEST_CLASS))).lookingAt();
  }
}
