package roll.core.trajectory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import roll.runtime.trace.TimelinePart;

/**
 * The times of an episode as JSON in one line: of each part its name, its depth, when it began and
 * how long it took in milliseconds, and which episode it waited for, if any.
 */
final class TimesJson {
  private TimesJson() {}

  /** Returns the line of the episode {@code id}; none if {@code parts} is empty. */
  static Stream<String> write(String id, List<TimelinePart> parts) {
    if (parts.isEmpty()) {
      return Stream.of();
    }
    long since = parts.getFirst().begun();
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("id", id);
    line.put("times", parts.stream().map(part -> entry(part, since)).toList());
    return Stream.of(TrajectoryJson.GSON.toJson(line));
  }

  private static List<Object> entry(TimelinePart part, long since) {
    List<Object> entry = new ArrayList<>();
    entry.add(part.name());
    entry.add(part.depth());
    entry.add(millis(part.begun() - since));
    entry.add(millis(part.ended() - part.begun()));
    if (!part.waitedFor().isEmpty()) {
      entry.add(part.waitedFor());
    }
    return entry;
  }

  private static double millis(long nanos) {
    return Math.round(nanos / 1e4) / 100.0;
  }
}
