package roll.runtime.trace;

import java.util.ArrayList;
import java.util.List;

/** When the parts of an episode began and ended, as far as there is room. Used by any thread. */
final class Timeline {
  /** Maximum number of parts; later ones are not kept. */
  static final int MOST = 256;

  private final List<TimelinePart> parts = new ArrayList<>();

  /** Begins a part and returns its number; −1 if there is no room. */
  synchronized int begin(String name, int depth, long begun) {
    if (parts.size() == MOST) {
      return -1;
    }
    parts.add(new TimelinePart(name, depth, begun, TimelinePart.OPEN, ""));
    return parts.size() - 1;
  }

  /** Returns whether the part {@code number} has not ended, as far as is known. */
  synchronized boolean open(int number) {
    return number < 0 || parts.get(number).ended() == TimelinePart.OPEN;
  }

  /** Ends the part {@code number}, the first time only; the end of the episode is that of all. */
  synchronized void end(int number, long ended) {
    int last = number == 0 ? parts.size() - 1 : number;
    for (int i = Math.max(0, number); i <= last; i++) {
      if (open(i)) {
        parts.set(i, parts.get(i).endedAt(ended));
      }
    }
  }

  /** Sets the episode that the part {@code number} waited for. */
  synchronized void waitedFor(int number, String episode) {
    if (number >= 0) {
      parts.set(number, parts.get(number).waitingFor(episode));
    }
  }

  /** Returns the parts in the order of their beginning; open ones end now. */
  synchronized List<TimelinePart> parts(long now) {
    return parts.stream()
        .map(part -> part.ended() == TimelinePart.OPEN ? part.endedAt(now) : part)
        .toList();
  }
}
