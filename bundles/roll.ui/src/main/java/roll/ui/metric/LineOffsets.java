package roll.ui.metric;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/** Where some of the lines of a file begin: every n-th, n doubles when there are too many. */
final class LineOffsets {
  private static final int MOST = 4096;

  private int[] steps = new int[64];
  private long[] offsets = new long[64];
  private double[] seconds = new double[64];
  private int size;
  private long every = 1;
  private long lines;

  /**
   * A line.
   *
   * @param step of it
   * @param offset of its first byte
   * @param before seconds of all steps before it
   */
  record Mark(int step, long offset, double before) {}

  /** Takes note of the next line. */
  void add(int step, long offset, double before) {
    if (lines++ % every != 0) {
      return;
    }
    if (size == MOST) {
      every *= 2;
      size = 0;
      for (int i = 0; i < MOST; i += 2) {
        put(steps[i], offsets[i], seconds[i]);
      }
      if ((lines - 1) % every != 0) {
        return;
      }
    }
    put(step, offset, before);
  }

  private void put(int step, long offset, double before) {
    if (size == steps.length) {
      steps = Arrays.copyOf(steps, 2 * size);
      offsets = Arrays.copyOf(offsets, 2 * size);
      seconds = Arrays.copyOf(seconds, 2 * size);
    }
    steps[size] = step;
    offsets[size] = offset;
    seconds[size++] = before;
  }

  /** How many lines are kept. */
  int size() {
    return size;
  }

  /** The line kept as number {@code i}. */
  Mark mark(int i) {
    return new Mark(steps[i], offsets[i], seconds[i]);
  }

  /** The last line kept whose step is at most {@code step}; the file's beginning if none is. */
  Mark before(int step) {
    int found = Arrays.binarySearch(steps, 0, size, step);
    int at = found >= 0 ? found : -found - 2;
    return at < 0 ? new Mark(0, 0, 0) : mark(at);
  }

  /** The offset of the first line kept whose step is greater, or {@code end}. */
  long after(int step, long end) {
    int found = Arrays.binarySearch(steps, 0, size, step);
    int at = found >= 0 ? found + 1 : -found - 1;
    return at < size ? offsets[at] : end;
  }

  /** Writes them for {@link #read}. */
  void write(DataOutput out) throws IOException {
    out.writeLong(every);
    out.writeLong(lines);
    out.writeInt(size);
    for (int i = 0; i < size; i++) {
      out.writeInt(steps[i]);
      out.writeLong(offsets[i]);
      out.writeDouble(seconds[i]);
    }
  }

  /** Reads what {@link #write} wrote. */
  static LineOffsets read(DataInput in) throws IOException {
    LineOffsets read = new LineOffsets();
    read.every = in.readLong();
    read.lines = in.readLong();
    int size = in.readInt();
    if (size < 0 || size > MOST || read.every < 1) {
      throw new IOException(size + " lines");
    }
    for (int i = 0; i < size; i++) {
      read.put(in.readInt(), in.readLong(), in.readDouble());
    }
    return read;
  }
}
