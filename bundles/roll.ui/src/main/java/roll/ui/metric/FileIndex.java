package roll.ui.metric;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.ui.metric.FollowedFile.Change;

/**
 * The index of one file and what it lacks: read as far as it was, started anew when the file is
 * another one, with evenly spaced lines in its place until the whole file was read once. For one
 * thread at a time.
 */
final class FileIndex {
  /** What is read while somebody waits for an answer. */
  private static final long AT_ONCE = 4 << 20;

  /** What the background reads while answers wait for it. */
  private static final long PIECE = 1 << 20;

  private final FollowedFile file;
  private final IndexStore store;
  private final RowWindows windows;
  private final MetricLine line = new MetricLine();
  private BucketIndex index = new BucketIndex();
  private @Nullable BucketIndex sample;
  private long read;
  private long broken;
  private int generation;
  private boolean whole = true;

  /** Whether the index once had the whole file: then it is shown while more is read. */
  private boolean known;

  /** Of {@code file}, nothing read. */
  FileIndex(FollowedFile file, IndexStore store) {
    this.file = file;
    this.store = store;
    windows = new RowWindows(file);
  }

  /** Reads what is new, unless that is much: then {@link #whole} is false afterwards. */
  void refresh() throws IOException {
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
    whole = false;
    if (file.size() - read <= AT_ONCE) {
      readUpTo(file.size());
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

  private void readUpTo(long end) throws IOException {
    try (FileChannel channel = file.open()) {
      if (!file.holds(channel)) {
        clear();
      }
      read = FileLines.read(channel, read, Math.min(end, file.size()), this::take);
      file.remember(channel, read);
    }
    whole = end >= file.size();
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

  /** Reads a piece of what is not read; keeps the index where that was the last. */
  void readPiece() throws IOException {
    long before = read;
    readUpTo(read + PIECE);
    if (read == before && !whole) {
      readUpTo(read + FileLines.LONGEST); // a line is longer than a piece
    }
    if (whole) {
      store.keep(file, new IndexStore.Kept(index, read, broken));
    }
  }

  /** Reads evenly spaced lines, where nothing else can be shown. */
  void sample() throws IOException {
    if (!known && sample == null) {
      try (FileChannel channel = file.open()) {
        sample = EvenSample.of(channel, file.size());
      }
    }
  }

  /** Whether there is something to show: all that was in the file once, or some of it. */
  boolean shows() {
    return known || sample != null || whole;
  }

  /** What can be shown now. */
  BucketIndex shown() {
    return sample == null ? index : sample;
  }

  /** How many steps a point of {@link #shown} stands for. */
  int stepsPerPoint() {
    return sample == null
        ? index.width()
        : sample.last() / Math.max(1, sample.offsets().size()) + 1;
  }

  /** The names of all metrics so far, in the order in which the file first has them. */
  Set<String> names() {
    Set<String> names = new LinkedHashSet<>(shown().names());
    names.addAll(index.names());
    return names;
  }

  /** Parts of the file that are read line by line. */
  RowWindows windows() {
    return windows;
  }

  /** Whether all was read that the file had when it was last looked at. */
  boolean whole() {
    return whole;
  }

  /** Lines so far that are not lines of metrics. */
  long broken() {
    return broken;
  }

  /** Another number when the file is another one, or was cut short. */
  int generation() {
    return generation;
  }

  /** Buckets held, some 32 bytes each. */
  long cells() {
    return index.cells() + (sample == null ? 0 : sample.cells());
  }
}
