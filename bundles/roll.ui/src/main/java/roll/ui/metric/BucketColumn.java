package roll.ui.metric;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** One metric: least, greatest, sum and number of its values in each bucket of steps. */
final class BucketColumn {
  /** The first step of a bucket that names the metric, or −1. */
  int[] first = new int[0];

  /** Values that are numbers. */
  int[] count = new int[0];

  double[] min = new double[0];
  double[] max = new double[0];

  /** 0 where there are none. */
  double[] sum = new double[0];

  /** Room for this many buckets. */
  int length() {
    return first.length;
  }

  /** Adds the value of a step; NaN is none, but names the metric. */
  void add(int bucket, int step, double value, int capacity) {
    if (bucket >= first.length) {
      room(Math.min(capacity, Math.max(bucket + 1, 2 * first.length)));
    }
    if (first[bucket] < 0 || step < first[bucket]) {
      first[bucket] = step;
    }
    if (!Double.isNaN(value)) {
      merge(bucket, 1, value, value, value);
    }
  }

  private void room(int length) {
    int before = first.length;
    first = Arrays.copyOf(first, length);
    Arrays.fill(first, before, length, -1);
    count = Arrays.copyOf(count, length);
    min = Arrays.copyOf(min, length);
    max = Arrays.copyOf(max, length);
    sum = Arrays.copyOf(sum, length);
  }

  private void merge(int bucket, int more, double least, double greatest, double all) {
    if (more == 0) {
      return;
    }
    boolean empty = count[bucket] == 0;
    min[bucket] = empty ? least : Math.min(min[bucket], least);
    max[bucket] = empty ? greatest : Math.max(max[bucket], greatest);
    sum[bucket] = empty ? all : sum[bucket] + all;
    count[bucket] += more;
  }

  /** Makes one bucket of each two. */
  void fold() {
    for (int i = 0; i < first.length; i++) {
      int named = first[i];
      int values = count[i];
      double all = sum[i];
      first[i] = -1;
      count[i] = 0;
      sum[i] = 0;
      int into = i / 2;
      if (named >= 0) {
        first[into] = first[into] < 0 ? named : Math.min(first[into], named);
      }
      merge(into, values, min[i], max[i], all);
    }
  }

  /** Writes it for {@link #read}. */
  void write(DataOutput out) throws IOException {
    out.writeInt(first.length);
    for (int i = 0; i < first.length; i++) {
      out.writeInt(first[i]);
      if (first[i] >= 0) {
        out.writeInt(count[i]);
        out.writeDouble(min[i]);
        out.writeDouble(max[i]);
        out.writeDouble(sum[i]);
      }
    }
  }

  /** Reads what {@link #write} wrote. */
  static BucketColumn read(DataInput in, int capacity) throws IOException {
    BucketColumn column = new BucketColumn();
    int length = in.readInt();
    if (length < 0 || length > capacity) {
      throw new IOException(length + " buckets");
    }
    column.room(length);
    for (int i = 0; i < length; i++) {
      column.first[i] = in.readInt();
      if (column.first[i] >= 0) {
        column.count[i] = in.readInt();
        column.min[i] = in.readDouble();
        column.max[i] = in.readDouble();
        column.sum[i] = in.readDouble();
      }
    }
    return column;
  }
}
