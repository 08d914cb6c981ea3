package roll.runtime.trace;

/**
 * A part of an episode, as its span, with times of {@link System#nanoTime}.
 *
 * @param name of the span
 * @param depth 0 for the whole episode, 1 for its parts
 * @param begun when it began
 * @param ended when it ended
 * @param waitedFor id of the trajectory whose request it waited for; empty if there is none
 */
public record TimelinePart(String name, int depth, long begun, long ended, String waitedFor) {
  /** The end of an open part. */
  static final long OPEN = Long.MIN_VALUE;

  TimelinePart endedAt(long time) {
    return new TimelinePart(name, depth, begun, time, waitedFor);
  }

  TimelinePart waitingFor(String episode) {
    return new TimelinePart(name, depth, begun, ended, episode);
  }
}
