package roll.ui.metric;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import roll.ui.file.FileEnds;
import roll.ui.file.FileLines;
import roll.ui.file.Stamp;

/**
 * One {@code metrics.jsonl}, read once and then only where it has grown. Much at once is read in
 * the background; until that is done, answers have what was read. Links are not followed: who may
 * write into the folder of a run could have another file shown. May be used by any thread.
 */
public final class MetricFile {
  /** What is read while somebody waits for an answer; no less, so that any line is got over. */
  private static final long PIECE = FileLines.LONGEST;

  private static final int TAIL = 256;

  private final ReentrantLock lock = new ReentrantLock(true);
  private final Path path;
  private final long mostBytes;
  private final Consumer<MetricFile> background;
  private final MetricLine line = new MetricLine();
  private MetricTable table;
  private @Nullable Stamp stamp;
  private long read;
  private byte[] tail = new byte[0];
  private long broken;
  private boolean whole = true;
  private boolean waiting;
  private boolean closed;
  private volatile long bytes;
  private volatile long asked = System.nanoTime();

  /**
   * A file, which need not be there.
   *
   * @param mostBytes that its values take in memory
   * @param background has {@link #readOn} called until that returns false
   */
  MetricFile(Path path, long mostBytes, Consumer<MetricFile> background) {
    this.path = path;
    this.mostBytes = mostBytes;
    this.background = background;
    table = new MetricTable(mostBytes);
  }

  /**
   * Several metrics between two steps.
   *
   * @param last the last step that was read; −1 where there is none
   * @param complete whether all lines were read
   * @param broken lines so far that are not lines of metrics
   * @param series by name; one that is unknown is empty
   */
  public record Answer(int last, boolean complete, long broken, Map<String, MetricSeries> series) {}

  /**
   * The metrics {@code names} between two steps, inclusive.
   *
   * @param points most buckets of each, at least 1
   * @throws IOException if the file is there and cannot be read
   */
  public Answer series(List<String> names, int from, int to, int points)
      throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      refresh();
      Map<String, MetricSeries> series = new LinkedHashMap<>();
      names.forEach(name -> series.put(name, table.series(name, from, to, points)));
      return new Answer(table.last(), whole, broken, series);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives what the steps between two, inclusive, say of the metrics that are {@code wanted}:
   * numbers alone, in the order of a line.
   */
  public void rows(
      int from, int to, Predicate<String> wanted, BiConsumer<Integer, Map<String, Double>> taker)
      throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      refresh();
      table.rows(from, to, wanted, taker);
    } finally {
      lock.unlock();
    }
  }

  /**
   * What is known of all of it.
   *
   * @param last the last step that was read; −1 where there is none
   * @param complete whether all lines were read
   * @param broken lines so far that are not lines of metrics
   * @param names in the order in which the file first has them
   * @param every how many steps in a row one is kept of
   */
  public record Overview(int last, boolean complete, long broken, Set<String> names, long every) {}

  /** What is known of all of it. */
  public Overview overview() throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      refresh();
      return new Overview(table.last(), whole, broken, table.names(), table.every());
    } finally {
      lock.unlock();
    }
  }

  /** Reads what is new; where that is much, the beginning of it, and the background the rest. */
  private void refresh() throws IOException {
    asked = System.nanoTime();
    Stamp before = stamp;
    Stamp now = Stamp.of(path);
    stamp = now;
    if (now == null || !now.continues(before)) {
      clear();
    }
    whole = now == null || (whole && now.equals(before));
    if (!whole && !waiting) {
      readPiece();
      if (!whole) {
        waiting = true;
        background.accept(this);
      }
    }
    bytes = table.bytes();
  }

  private void clear() {
    table = new MetricTable(mostBytes);
    read = 0;
    tail = new byte[0];
    broken = 0;
  }

  private void readPiece() throws IOException {
    try (FileChannel channel = FileEnds.open(path)) {
      long size = stamp == null ? 0 : Math.min(stamp.size(), channel.size()); // cut meanwhile
      if (!Arrays.equals(tail, FileEnds.read(channel, read - tail.length, tail.length))) {
        clear(); // it was cut short, and is longer again
      }
      long end = Math.min(size, read + PIECE);
      read =
          FileLines.read(
              channel, read, end, (_, buffer, from, length) -> take(buffer, from, length));
      whole = end == size;
      int kept = (int) Math.min(TAIL, read);
      tail = FileEnds.read(channel, read - kept, kept);
    }
  }

  private boolean take(byte[] buffer, int start, int length) {
    if (line.read(buffer, start, length, _ -> true)) {
      table.add(line);
    } else {
      broken++;
    }
    return true;
  }

  /** Reads a piece; whether there is more to read. */
  boolean readOn() throws IOException {
    lock.lock();
    try {
      waiting = false; // the next who asks is told why, where this fails
      if (closed || whole) {
        return false;
      }
      readPiece();
      waiting = !whole;
      bytes = table.bytes();
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  /** Takes half as much memory, and keeps half of the steps; whether that was possible. */
  boolean halve() {
    lock.lock();
    try {
      boolean halved = table.halve();
      bytes = table.bytes();
      return halved;
    } finally {
      lock.unlock();
    }
  }

  /** Bytes that its values take. */
  long bytes() {
    return bytes;
  }

  /** When it was last asked for something, by {@link System#nanoTime}. */
  long asked() {
    return asked;
  }

  /** Ends reading in the background. */
  void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }
}
