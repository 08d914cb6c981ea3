package roll.ui.system;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Memory over the last hour, recorded while a page is open: at most a point each five seconds. */
final class MemoryHistory {
  private static final long INTERVAL = 5_000;
  private static final long HOUR = 3_600_000;

  private final LongSupplier clock;
  private final Deque<Point> points = new ArrayDeque<>();

  /**
   * Creates the memory history without points.
   *
   * @param clock milliseconds since 1970
   */
  MemoryHistory(LongSupplier clock) {
    this.clock = clock;
  }

  private record Point(long time, double resident, Map<Integer, ModelMemory> devices) {}

  /**
   * The recorded memory points, oldest first.
   *
   * @param time milliseconds since 1970
   * @param resident megabytes of the process
   * @param devices megabytes of models, by device number; null where there were none
   */
  record View(
      List<Long> time, List<Double> resident, Map<String, List<@Nullable Double>> devices) {}

  /** Records a point, unless there is one of the last five seconds. */
  synchronized void record(double resident, Map<Integer, ModelMemory> devices) {
    long now = clock.getAsLong();
    if (points.isEmpty() || now - points.getLast().time() >= INTERVAL) {
      points.add(new Point(now, resident, Map.copyOf(devices)));
    }
    while (now - points.getFirst().time() > HOUR) {
      points.removeFirst();
    }
  }

  /** Returns all points of the memory history. */
  synchronized View view() {
    TreeSet<Integer> numbers = new TreeSet<>();
    points.forEach(point -> numbers.addAll(point.devices().keySet()));
    Map<String, List<@Nullable Double>> devices = new TreeMap<>();
    for (int number : numbers) {
      List<@Nullable Double> held = new ArrayList<>();
      for (Point point : points) {
        held.add(point.devices().getOrDefault(number, ModelMemory.NONE).held());
      }
      devices.put(Integer.toString(number), held);
    }
    return new View(
        points.stream().map(Point::time).toList(),
        points.stream().map(Point::resident).toList(),
        devices);
  }
}
