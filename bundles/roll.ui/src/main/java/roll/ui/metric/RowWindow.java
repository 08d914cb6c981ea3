package roll.ui.metric;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Some metrics of a range of few lines, step by step as the file has them. What was read is kept:
 * when the file or the range goes on, only what is new is read.
 */
final class RowWindow {
  private final List<String> names;
  private final Map<String, Integer> places = new LinkedHashMap<>();
  private final List<BitSet> named = new ArrayList<>();
  private final MetricLine line = new MetricLine();
  private final double[][] values;
  private int[] steps = new int[64];
  private double[] seconds = new double[64];
  private int size;
  private final int from;
  private int upTo;
  private long read;
  private double elapsed;

  /** Of {@code names} from step {@code from} on, nothing read; {@code mark} is not behind it. */
  RowWindow(List<String> names, int from, LineOffsets.Mark mark) {
    this.names = names;
    this.from = from;
    upTo = from - 1;
    read = mark.offset();
    elapsed = mark.before();
    for (String name : names) {
      if (places.putIfAbsent(name, places.size()) == null) {
        named.add(new BitSet());
      }
    }
    values = new double[places.size()][64];
  }

  /** Whether this has, or can be made to have, {@code names} from step {@code begin} on. */
  boolean serves(List<String> asked, int begin) {
    return names.equals(asked) && begin >= from && begin <= upTo + 1;
  }

  /** How many steps are held. */
  int size() {
    return size;
  }

  /** Reads on until {@code to}; lines end before the offset {@code end}. */
  void readUpTo(FileChannel channel, int to, long end) throws IOException {
    if (to <= upTo) {
      return;
    }
    long[] stopped = {-1};
    long after =
        FileLines.read(
            channel,
            read,
            end,
            (offset, bytes, start, length) -> {
              if (!line.read(bytes, start, length, this::wanted)) {
                return true;
              }
              if (line.step() > to) {
                stopped[0] = offset;
                return false;
              }
              add();
              return true;
            });
    read = stopped[0] >= 0 ? stopped[0] : after;
    upTo = to;
  }

  private boolean wanted(String name) {
    return places.containsKey(name) || MetricLine.tellsTime(name);
  }

  private void add() {
    elapsed += line.seconds();
    if (line.step() < from) {
      return;
    }
    if (size == steps.length) {
      steps = Arrays.copyOf(steps, 2 * size);
      seconds = Arrays.copyOf(seconds, 2 * size);
      for (int i = 0; i < values.length; i++) {
        values[i] = Arrays.copyOf(values[i], 2 * size);
      }
    }
    steps[size] = line.step();
    seconds[size] = elapsed;
    for (int i = 0; i < line.size(); i++) {
      Integer place = places.get(line.name(i));
      if (place != null) {
        values[place][size] = line.value(i);
        named.get(place).set(size);
      }
    }
    size++;
  }

  /** One of the metrics in at most {@code points} buckets. */
  MetricSeries series(String name, int begin, int end, int points) {
    Integer place = places.get(name);
    if (place == null || end < begin) {
      return MetricSeries.empty();
    }
    Bucketing buckets = new Bucketing(begin, end, points);
    for (int i = named.get(place).nextSetBit(0); i >= 0; i = named.get(place).nextSetBit(i + 1)) {
      if (steps[i] >= begin && steps[i] <= end) {
        double value = values[place][i];
        int count = Double.isNaN(value) ? 0 : 1;
        buckets.add(steps[i], steps[i], seconds[i], count, value, value, value);
      }
    }
    return buckets.series();
  }
}
