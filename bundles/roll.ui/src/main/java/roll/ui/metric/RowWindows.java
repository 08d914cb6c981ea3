package roll.ui.metric;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a file that were asked for last and are narrow enough to be read line by line. */
final class RowWindows {
  private static final long MOST_BYTES = 16 << 20;
  private static final int MOST_STEPS = 1 << 14;
  private static final int MOST_WINDOWS = 4;

  private final FollowedFile file;
  private final List<RowWindow> windows = new ArrayList<>();

  /** None of {@code file} yet. */
  RowWindows(FollowedFile file) {
    this.file = file;
  }

  /** Forgets all: the file is another one. */
  void clear() {
    windows.clear();
  }

  /**
   * The metrics {@code names} between two steps, read up to {@code end}; null where {@code shown}
   * has as many points as are asked for, or the range is too long.
   *
   * @param stepsPerPoint that {@code shown} has
   * @param points most buckets
   */
  @Nullable RowWindow find(
      BucketIndex shown, int stepsPerPoint, List<String> names, int begin, int end, int points)
      throws IOException {
    int steps = end - begin + 1;
    if (stepsPerPoint == 1
        || steps <= 0
        || steps > MOST_STEPS
        || steps / stepsPerPoint >= points
        || !shown.ascending()
        || bytes(shown.offsets(), begin, end) > MOST_BYTES) {
      return null;
    }
    RowWindow window = null;
    for (RowWindow known : windows) {
      if (known.serves(names, begin) && known.size() <= MOST_STEPS) {
        window = known;
      }
    }
    if (window == null) {
      window = new RowWindow(List.copyOf(names), begin, shown.offsets().before(begin));
    }
    windows.remove(window);
    windows.add(window);
    if (windows.size() > MOST_WINDOWS) {
      windows.removeFirst();
    }
    try (FileChannel channel = file.open()) {
      window.readUpTo(channel, end, file.size());
    }
    return window;
  }

  private long bytes(LineOffsets offsets, int begin, int end) {
    return offsets.after(end, file.size()) - offsets.before(begin).offset();
  }
}
