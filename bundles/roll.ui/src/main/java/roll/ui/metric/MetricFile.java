package roll.ui.metric;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One {@code metrics.jsonl}, read once and then only where it has grown. Much at once is read in
 * the background; until that is done, answers come from lines evenly spaced. May be used by any
 * thread.
 */
public final class MetricFile {
  /** How long an answer waits for the background before it is one of evenly spaced lines. */
  private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(150);

  private static final long MOST_LINES_BYTES = 64 << 20;

  private final ReentrantLock lock = new ReentrantLock(true);
  private final Condition news = lock.newCondition();
  private final FollowedFile file;
  private final Consumer<MetricFile> background;
  private final FileIndex index;
  private final MetricLine line = new MetricLine();
  private boolean waiting;
  private boolean closed;
  private volatile long cells;
  private volatile long asked = System.nanoTime();

  /**
   * A file, which need not be there.
   *
   * @param background has {@link #readOn} called until that returns false
   * @param store has indexes of files that are no longer written
   */
  MetricFile(FollowedFile file, Consumer<MetricFile> background, IndexStore store) {
    this.file = file;
    this.background = background;
    index = new FileIndex(file, store);
  }

  /**
   * Several metrics between two steps.
   *
   * @param last the last step in the file; −1 where there is none
   * @param complete whether all lines were read; otherwise it is of evenly spaced ones, or an older
   *     state
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
      BucketIndex shown = index.shown();
      int begin = Math.max(0, from);
      int end = Math.min(to, shown.last());
      RowWindow window =
          index.windows().find(shown, index.stepsPerPoint(), names, begin, end, points);
      Map<String, MetricSeries> series = new LinkedHashMap<>();
      for (String name : names) {
        series.put(
            name,
            window == null
                ? shown.series(name, begin, end, points)
                : window.series(name, begin, end, points));
      }
      return new Answer(shown.last(), index.whole(), index.broken(), series);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives the lines between two steps, inclusive, to {@code taker}, in the order of the file; the
   * line is another one afterwards. Of a very long range only the beginning.
   *
   * @param wanted names of metrics to read
   */
  public void lines(int from, int to, Predicate<String> wanted, Consumer<MetricLine> taker)
      throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      refresh();
      LineOffsets offsets = index.shown().offsets();
      if (offsets.size() == 0) {
        return;
      }
      long begin = offsets.before(from).offset();
      long end = Math.min(file.size(), begin + MOST_LINES_BYTES);
      try (FileChannel channel = file.open()) {
        FileLines.read(
            channel,
            begin,
            end,
            (_, bytes, start, length) -> {
              if (!line.read(bytes, start, length, wanted)) {
                return true;
              }
              if (line.step() >= from && line.step() <= to) {
                taker.accept(line);
              }
              return line.step() < to;
            });
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * What is known of all of it.
   *
   * @param last the last step; −1 where there is none
   * @param complete whether all lines were read
   * @param broken lines so far that are not lines of metrics
   * @param generation another number when the file is another one, or was cut short
   * @param names in the order in which the file first has them
   */
  public record Overview(
      int last, boolean complete, long broken, int generation, Set<String> names) {}

  /** What is known of all of it. */
  public Overview overview() throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      refresh();
      int last = index.shown().last();
      return new Overview(last, index.whole(), index.broken(), index.generation(), index.names());
    } finally {
      lock.unlock();
    }
  }

  private void refresh() throws IOException, InterruptedException {
    asked = System.nanoTime();
    index.refresh();
    if (!index.whole()) {
      if (!waiting) {
        waiting = true;
        background.accept(this);
      }
      for (long left = PATIENCE; left > 0 && !index.shows(); ) {
        left = news.awaitNanos(left);
      }
      if (!index.shows()) {
        index.sample();
      }
    }
    cells = index.cells();
  }

  /** Reads a piece; whether there is more to read. */
  boolean readOn() throws IOException {
    lock.lock();
    try {
      waiting = false; // the next who asks is told why, where this fails
      if (closed || index.whole()) {
        return false;
      }
      index.readPiece();
      waiting = !index.whole();
      if (index.whole()) {
        news.signalAll();
      }
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  /** Buckets held when it was last asked for something, some 32 bytes each. */
  long cells() {
    return cells;
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
