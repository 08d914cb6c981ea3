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
import roll.ui.file.FileBytes;
import roll.ui.file.FileLines;
import roll.ui.file.FileStamp;

/**
 * The events in the {@code run.log} of a run: swaps, notices, failures, bundles in use. A log is
 * read once, then only its new lines, also after it was renamed because it was full.
 */
final class RunHistory {
  private static final int MAX_EVENTS = 500;
  private static final Pattern FROM_STEP =
      Pattern.compile("from step (\\d{1,9}) on(: | served by )(.*)");

  /** A stack trace begins with a class name within this many characters. */
  private static final int MAX_CLASS = 200;

  private static final Pattern STACK = Pattern.compile("[\\w.$]+(Exception|Error)\\b");

  /** Longer lines are cut: all events are kept. */
  private static final int MAX_LINE = 4_000;

  /** Beginnings of log lines that are no events. */
  private static final List<String> SKIPPED =
      List.of("phase ", "memory ", "saved ", "reopening: ", "ended after step ", "ended");

  private final Path folder;
  private final Map<Object, Long> read = new HashMap<>();
  private final List<Swap> swaps = new ArrayList<>();
  private final Set<String> notices = new LinkedHashSet<>();
  private List<String> served = List.of();

  /** The run in {@code folder}; nothing is read yet. */
  RunHistory(Path folder) {
    this.folder = folder;
  }

  /**
   * The latest events of a run.
   *
   * @param swaps oldest first
   * @param notices and failures, oldest first, each once
   * @param served the bundles and versions in use last
   */
  record Events(List<Swap> swaps, List<String> notices, List<String> served) {}

  /**
   * A plugin that was replaced.
   *
   * @param time ms since 1970; null if the line has none
   * @param step the first one with the new plugin
   * @param line such as {@code loss ppo → gspo}
   */
  record Swap(@Nullable Long time, int step, String line) {}

  /** Reads new lines, and returns all events. */
  synchronized Events events() throws IOException {
    Map<Path, FileStamp> files = new LinkedHashMap<>();
    for (Path file : RunLog.oldestFirst(folder)) {
      FileStamp stamp = FileStamp.of(file);
      if (stamp != null) {
        files.put(file, stamp);
      }
    }
    Set<Object> keys = new HashSet<>();
    files.forEach((file, stamp) -> keys.add(key(file, stamp)));
    read.keySet().retainAll(keys);
    if (files.entrySet().stream().anyMatch(file -> truncated(file.getKey(), file.getValue()))) {
      clear();
    }
    for (Map.Entry<Path, FileStamp> file : files.entrySet()) {
      read(file.getKey(), key(file.getKey(), file.getValue()), file.getValue().size());
    }
    return new Events(List.copyOf(swaps), List.copyOf(notices), served);
  }

  /**
   * Returns whether the file is shorter than the part already read: it was truncated or replaced.
   */
  private boolean truncated(Path file, FileStamp stamp) {
    return read.getOrDefault(key(file, stamp), 0L) > stamp.size();
  }

  private static Object key(Path file, FileStamp stamp) {
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
    try (FileChannel channel = FileBytes.open(file)) {
      read.put(key, FileLines.read(channel, from, size, (_, b, s, l) -> take(b, s, l)));
    }
  }

  private boolean take(byte[] bytes, int start, int length) {
    int shown = Math.min(length, MAX_LINE);
    RunLog.Line logged = RunLog.Line.of(new String(bytes, start, shown, StandardCharsets.UTF_8));
    if (logged == null || SKIPPED.stream().anyMatch(logged.text()::startsWith)) {
      return true;
    }
    String line = logged.text();
    Matcher fromStep = FROM_STEP.matcher(line);
    if (!fromStep.matches()) {
      if (!isStack(line) && !line.contains(" computes with ")) {
        notices.remove(line);
        notices.add(line);
        if (notices.size() > MAX_EVENTS) {
          notices.remove(notices.iterator().next());
        }
      }
    } else if (fromStep.group(2).equals(": ")) {
      Integer step = Integer.valueOf(fromStep.group(1));
      swaps.add(new Swap(logged.millis(), step, fromStep.group(3)));
      if (swaps.size() > MAX_EVENTS) {
        swaps.removeFirst();
      }
    } else {
      served = List.of(fromStep.group(3).split(", ", -1));
    }
    return true;
  }

  private static boolean isStack(String line) {
    return STACK.matcher(line.substring(0, Math.min(line.length(), MAX_CLASS))).lookingAt();
  }
}
