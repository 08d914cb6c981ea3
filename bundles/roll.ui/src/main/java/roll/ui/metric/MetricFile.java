package roll.ui.metric;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import roll.ui.metric.FollowedFile.Change;

/**
 * One {@code metrics.jsonl}, read once and then only where it has grown. Much at once is read in
 * the background; until that is done, answers come from lines evenly spaced. May be used by any
 * thread.
 */
public final class MetricFile {
  /** What is read while somebody waits for an answer. */
  private static final long AT_ONCE = 4 << 20;

  /** What the background reads while answers wait for it. */
  private static final long PIECE = FileLines.LONGEST;

  /** How long an answer waits for the background before it is one of evenly spaced lines. */
  private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(150);

  private static final long MOST_LINES_BYTES = 64 << 20;

  private final ReentrantLock lock = new ReentrantLock(true);
  private final Condition news = lock.newCondition();
  private final FollowedFile file;
  private final Consumer<MetricFile> background;
  private final IndexStore store;
  private final MetricLine line = new MetricLine();
  private final RowWindows windows;
  private BucketIndex index = new BucketIndex();
  private @Nullable BucketIndex sample;
  private long read;
  private long broken;
  private boolean whole = true;

  /** Whether the index once had the whole file: then it is shown while more is read. */
  private boolean known;

  private boolean waiting;
  private int generation;
  private boolean closed;
  private volatile long cells;

  /**
   * A file, which need not be there.
   *
   * @param background has {@link #readOn} called until that returns false
   * @param store has indexes of files that are no longer written
   */
  MetricFile(FollowedFile file, Consumer<MetricFile> background, IndexStore store) {
    this.file = file;
    this.background = background;
    this.store = store;
    windows = new RowWindows(file);
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
      BucketIndex shown = shown();
      cells = index.cells() + (sample == null ? 0 : sample.cells());
      int begin = Math.max(0, from);
      int end = Math.min(to, shown.last());
      RowWindow window = windows.find(shown, stepsPerPoint(), names, begin, end, points);
      Map<String, MetricSeries> series = new LinkedHashMap<>();
      for (String name : names) {
        series.put(
            name,
            window == null
                ? shown.series(name, begin, end, points)
                : window.series(name, begin, end, points));
      }
      return new Answer(shown.last(), whole, broken, series);
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
      LineOffsets offsets = shown().offsets();
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
      Set<String> names = new LinkedHashSet<>(shown().names());
      names.addAll(index.names());
      return new Overview(shown().last(), whole, broken, generation, names);
    } finally {
      lock.unlock();
    }
  }

  private BucketIndex shown() {
    return sample == null ? index : sample;
  }

  private int stepsPerPoint() {
    return sample == null
        ? index.width()
        : sample.last() / Math.max(1, sample.offsets().size()) + 1;
  }

  private void refresh() throws IOException, InterruptedException {
    Change change = file.look();
    if (change == Change.OTHER || change == Change.GONE) {
      clear();
    }
    if (change == Change.GONE || (change == Change.NONE && whole)) {
      return;
    }
    if (read == 0 && file.size() > AT_ONCE && sample == null) {
      restore();
    }
    if (file.size() - read <= AT_ONCE) {
      readPiece(file.size());
      return;
    }
    whole = false;
    if (!waiting) {
      waiting = true;
      background.accept(this);
    }
    if (!known && sample == null) {
      for (long left = PATIENCE; left > 0 && !whole; ) {
        left = news.awaitNanos(left);
      }
      if (!known && sample == null) {
        try (FileChannel channel = file.open()) {
          sample = EvenSample.of(channel, file.size());
        }
      }
    }
  }

  private void clear() {
    file.forget();
    windows.clear();
    index = new BucketIndex();
    sample = null;
    read = 0;
    broken = 0;
    generation++;
    whole = true;
    known = false;
  }

  private void restore() throws IOException {
    IndexStore.Kept kept = store.find(file);
    if (kept != null) {
      index = kept.index();
      read = kept.read();
      broken = kept.broken();
      known = true;
      try (FileChannel channel = file.open()) {
        file.remember(channel, read);
      }
    }
  }

  /** Reads on up to {@code most}; the lock is held. */
  private void readPiece(long most) throws IOException {
    try (FileChannel channel = file.open()) {
      if (!file.holds(channel)) {
        clear();
      }
      read = FileLines.read(channel, read, Math.min(most, file.size()), this::take);
      file.remember(channel, read);
    }
    whole = most >= file.size();
    known |= whole;
    if (whole && sample != null) {
      sample = null;
      windows.clear(); // their seconds are estimates
    }
  }

  private boolean take(long offset, byte[] bytes, int start, int length) {
    if (line.read(bytes, start, length, _ -> true)) {
      index.add(line, offset);
    } else {
      broken++;
    }
    return true;
  }

  /** Reads a piece; whether there is more to read. */
  boolean readOn() throws IOException {
    lock.lock();
    try {
      if (closed || whole) {
        waiting = false;
        return false;
      }
      try {
        readPiece(read + PIECE);
      } catch (IOException e) {
        waiting = false; // the next who asks is told
        throw e;
      }
      if (whole) {
        waiting = false;
        store.keep(file, new IndexStore.Kept(index, read, broken));
        news.signalAll();
      }
      return !whole;
    } finally {
      lock.unlock();
    }
  }

  /** Buckets held when it was last asked for something, some 32 bytes each. */
  long cells() {
    return cells;
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
