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
import roll.ui.file.FileBytes;
import roll.ui.file.FileLines;
import roll.ui.file.FileStamp;

/**
 * Metrics of one {@code metrics.jsonl}: read once, then only its new lines. Large parts are read in
 * the background; until then answers are incomplete. Links are not followed: anyone who can write
 * into the folder of a run could expose another file. May be used by any thread.
 */
public final class MetricFile {
  /** Bytes read during a request; at least the maximum length of a line. */
  private static final long PIECE = FileLines.LONGEST;

  private static final int TAIL = 256;

  private final ReentrantLock lock = new ReentrantLock(true);
  private final Path path;
  private final long maxBytes;
  private final Consumer<MetricFile> background;
  private final MetricLine line = new MetricLine();
  private MetricTable table;
  private @Nullable FileStamp stamp;
  private long read;
  private byte[] tail = new byte[0];
  private long broken;
  private boolean whole = true;
  private boolean waiting;
  private boolean closed;
  private volatile long bytes;
  private volatile long asked = System.nanoTime();

  /**
   * A file, which need not exist.
   *
   * @param maxBytes of its values in memory
   * @param background calls {@link #readOn} until that returns false
   */
  MetricFile(Path path, long maxBytes, Consumer<MetricFile> background) {
    this.path = path;
    this.maxBytes = maxBytes;
    this.background = background;
    table = new MetricTable(maxBytes);
  }

  /**
   * Several metrics between two steps.
   *
   * @param last the last step that was read; −1 without steps
   * @param complete whether all lines were read
   * @param broken number of lines read that are not lines of metrics
   * @param series by name; an unknown one is empty
   */
  public record Answer(int last, boolean complete, long broken, Map<String, MetricSeries> series) {}

  /**
   * Returns the metrics {@code names} between two steps, inclusive.
   *
   * @param points the maximum number of buckets of each, at least 1
   * @throws IOException if the file exists and cannot be read
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
   * Passes the values of the {@code wanted} metrics for each step between two, inclusive: numbers
   * alone, in the order of a line.
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
   * A summary of the whole file.
   *
   * @param last the last step that was read; −1 without steps
   * @param complete whether all lines were read
   * @param broken number of lines read that are not lines of metrics
   * @param names in the order of their first occurrence
   * @param every one step out of this many is kept
   */
  public record Overview(int last, boolean complete, long broken, Set<String> names, long every) {}

  /** Returns a summary of the whole file. */
  public Overview overview() throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      refresh();
      return new Overview(table.last(), whole, broken, table.names(), table.every());
    } finally {
      lock.unlock();
    }
  }

  /** Reads new lines; of a large part the beginning, and the rest in the background. */
  private void refresh() throws IOException {
    asked = System.nanoTime();
    FileStamp before = stamp;
    FileStamp now = FileStamp.of(path);
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
    table = new MetricTable(maxBytes);
    read = 0;
    tail = new byte[0];
    broken = 0;
  }

  private void readPiece() throws IOException {
    try (FileChannel channel = FileBytes.open(path)) {
      long size =
          stamp == null ? 0 : Math.min(stamp.size(), channel.size()); // may be truncated since
      if (!Arrays.equals(tail, FileBytes.read(channel, read - tail.length, tail.length))) {
        clear(); // it was truncated, and has grown again
      }
      long end = Math.min(size, read + PIECE);
      read =
          FileLines.read(
              channel, read, end, (_, buffer, from, length) -> take(buffer, from, length));
      whole = end == size;
      int kept = (int) Math.min(TAIL, read);
      tail = FileBytes.read(channel, read - kept, kept);
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

  /** Reads a piece; returns whether there is more to read. */
  boolean readOn() throws IOException {
    lock.lock();
    try {
      waiting = false; // if this fails, the next request reports why
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

  /** Drops half of the steps; returns whether that was possible. */
  boolean thin() {
    lock.lock();
    try {
      boolean thinned = table.thin();
      bytes = table.bytes();
      return thinned;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the bytes of the metric values in memory. */
  long bytes() {
    return bytes;
  }

  /** Returns the time of the last request, by {@link System#nanoTime}. */
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
