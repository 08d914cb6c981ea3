package roll.runtime.trace;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** The timelines of the latest episodes, each until it is taken. Used by any thread. */
final class Timelines {
  private final int most;
  private final SequencedMap<String, Timeline> episodes = new LinkedHashMap<>();

  /** Keeps at most {@code most} episodes. */
  Timelines(int most) {
    this.most = most;
  }

  /** Returns {@code episode} as a span whose parts are timed; an earlier attempt is forgotten. */
  synchronized Span begin(String trace, Span episode) {
    if (most == 0) {
      return episode;
    }
    if (episodes.remove(trace) == null && episodes.size() == most) {
      var unused = episodes.pollFirstEntry();
    }
    Timeline timeline = new Timeline();
    episodes.put(trace, timeline);
    return TimedSpan.of(episode, timeline, "episode", 0);
  }

  /** Returns and forgets the parts of an episode; none if it is not known. */
  synchronized List<TimelinePart> take(String trace) {
    @Nullable Timeline timeline = episodes.remove(trace);
    return timeline == null ? List.of() : timeline.parts(System.nanoTime());
  }
}
