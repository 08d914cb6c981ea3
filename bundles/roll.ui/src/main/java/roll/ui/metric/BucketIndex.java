package roll.ui.metric;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All metrics of a file in buckets of equally many steps, whose width doubles when there are too
 * many: the memory is bounded, least and greatest values stay exact.
 */
final class BucketIndex {
  /** Metrics beyond these are left out. */
  static final int MOST_NAMES = 4096;

  private static final int MOST_BUCKETS = 4096;
  private static final int FEWEST_BUCKETS = 256;
  private static final int MOST_CELLS = 1 << 20;

  private final Map<String, BucketColumn> columns = new LinkedHashMap<>();

  /** Seconds of the steps, by bucket, and of all of them. */
  private BucketColumn times = new BucketColumn();

  private LineOffsets offsets = new LineOffsets();
  private double seconds;
  private int capacity = MOST_BUCKETS;
  private int width = 1;
  private int last = -1;
  private boolean ascending = true;
  private boolean incomplete;

  /** Adds a line that was read whole. */
  void add(MetricLine line, long offset) {
    add(line, offset, 1);
  }

  /**
   * Adds a line of a file of which only some are read.
   *
   * @param steps that it stands for, itself and those before it that are not read
   */
  void add(MetricLine line, long offset, int steps) {
    int step = line.step();
    while (step / width >= capacity) {
      fold();
    }
    ascending &= step > last;
    last = Math.max(last, step);
    offsets.add(step, offset, seconds);
    double took = steps * line.seconds();
    seconds += took;
    times.add(step / width, step, took, capacity);
    for (int i = 0; i < line.size(); i++) {
      BucketColumn column = column(line.name(i));
      if (column != null) {
        column.add(step / width, step, line.value(i), capacity);
      }
    }
  }

  private @Nullable BucketColumn column(String name) {
    BucketColumn known = columns.get(name);
    if (known != null) {
      return known;
    }
    if (columns.size() == MOST_NAMES) {
      incomplete = true;
      return null;
    }
    BucketColumn added = new BucketColumn();
    columns.put(name, added);
    if (columns.size() * capacity > MOST_CELLS && capacity > FEWEST_BUCKETS) {
      capacity /= 2;
      while (last / width >= capacity) {
        fold();
      }
    }
    return added;
  }

  private void fold() {
    width *= 2;
    times.fold();
    columns.values().forEach(BucketColumn::fold);
  }

  /** The names of all metrics, in the order in which the file first has them. */
  Collection<String> names() {
    return Collections.unmodifiableSet(columns.keySet());
  }

  /** The last step; −1 where there is none. */
  int last() {
    return last;
  }

  /** Steps in a bucket. */
  int width() {
    return width;
  }

  /** Whether each line is of a later step than the one before it: then offsets can be used. */
  boolean ascending() {
    return ascending;
  }

  /** Whether metrics were left out. */
  boolean incomplete() {
    return incomplete;
  }

  /** Where lines begin. */
  LineOffsets offsets() {
    return offsets;
  }

  /** Buckets that there is room for, of all metrics together, some 32 bytes each. */
  long cells() {
    return columns.values().stream().mapToLong(BucketColumn::length).sum();
  }

  /**
   * A metric between two steps. Buckets that overlap the range belong to it whole.
   *
   * @param points most buckets, at least 1
   */
  MetricSeries series(String name, int from, int to, int points) {
    BucketColumn column = columns.get(name);
    if (column == null || to < from) {
      return MetricSeries.empty();
    }
    int begin = Math.max(0, from) / width;
    int end = Math.min(column.length() - 1, Math.min(to, last) / width);
    Bucketing buckets = new Bucketing(begin, Math.max(begin, Math.min(to, last) / width), points);
    double[] before = before();
    for (int i = begin; i <= end; i++) {
      if (column.first[i] >= 0) {
        buckets.add(
            i,
            column.first[i],
            before[i] + within(i, column.first[i]),
            column.count[i],
            column.min[i],
            column.max[i],
            column.sum[i]);
      }
    }
    return buckets.series();
  }

  /** Seconds before each bucket. */
  private double[] before() {
    double[] before = new double[last / width + 1];
    for (int i = 1; i < before.length; i++) {
      before[i] = before[i - 1] + (i <= times.length() ? times.sum[i - 1] : 0);
    }
    return before;
  }

  /** Seconds of a bucket up to the end of {@code step}, if all its steps take equally long. */
  private double within(int bucket, int step) {
    int start = bucket * width;
    int end = Math.min(last, start + width - 1);
    return bucket < times.length() ? times.sum[bucket] * (step - start + 1) / (end - start + 1) : 0;
  }

  /** Writes it for {@link #read}. */
  void write(DataOutput out) throws IOException {
    out.writeInt(capacity);
    out.writeInt(width);
    out.writeInt(last);
    out.writeBoolean(ascending);
    out.writeBoolean(incomplete);
    out.writeDouble(seconds);
    offsets.write(out);
    times.write(out);
    out.writeInt(columns.size());
    for (Map.Entry<String, BucketColumn> column : columns.entrySet()) {
      out.writeUTF(column.getKey());
      column.getValue().write(out);
    }
  }

  /** Reads what {@link #write} wrote. */
  static BucketIndex read(DataInput in) throws IOException {
    BucketIndex read = new BucketIndex();
    read.capacity = in.readInt();
    read.width = in.readInt();
    read.last = in.readInt();
    if (read.capacity < FEWEST_BUCKETS || read.capacity > MOST_BUCKETS || read.width < 1) {
      throw new IOException(read.capacity + " buckets of " + read.width);
    }
    read.ascending = in.readBoolean();
    read.incomplete = in.readBoolean();
    read.seconds = in.readDouble();
    read.offsets = LineOffsets.read(in);
    read.times = BucketColumn.read(in, MOST_BUCKETS);
    int names = in.readInt();
    for (int i = 0; i < names; i++) {
      read.columns.put(in.readUTF(), BucketColumn.read(in, MOST_BUCKETS));
    }
    return read;
  }
}
