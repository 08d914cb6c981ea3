package roll.cluster.pekko;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Calls received from one member, by number: a call that arrives twice is handled once, and its
 * answer can be sent again until the member has it. Thread-safe.
 */
final class ReceivedCalls {
  /** Calls that are being handled or whose answer is still needed; empty while handled. */
  private final Map<Long, Optional<Frame>> answers = new HashMap<>();

  /** Finished calls, by number minus {@link #floor}. */
  private BitSet finished = new BitSet();

  private long floor = 1;

  /** Marks a call as received; returns false if it had been received before. */
  synchronized boolean begin(long number) {
    return !finished(number) && answers.putIfAbsent(number, Optional.empty()) == null;
  }

  /** Stores the answer to a call, unless the member no longer needs it. */
  synchronized void answered(long number, Frame answer) {
    answers.computeIfPresent(number, (_, _) -> Optional.of(answer));
  }

  /** Whether the call with that number was received. */
  synchronized boolean contains(long number) {
    return finished(number) || answers.containsKey(number);
  }

  /** Returns the stored answer to a call, if there is one. */
  synchronized Optional<Frame> answer(long number) {
    return answers.getOrDefault(number, Optional.empty());
  }

  /** Marks call {@code number}, and all below {@code newFloor}, as finished. */
  synchronized void finish(long number, long newFloor) {
    if (number >= floor) {
      answers.remove(number);
      finished.set(Math.toIntExact(number - floor));
    }
    finishBelow(newFloor);
  }

  /** Marks all calls below {@code newFloor} as finished. */
  synchronized void finishBelow(long newFloor) {
    if (newFloor > floor) {
      long by = newFloor - floor;
      finished = by >= finished.length() ? new BitSet() : finished.get((int) by, finished.length());
      floor = newFloor;
      answers.keySet().removeIf(number -> number < newFloor);
    }
  }

  private boolean finished(long number) {
    return number < floor || finished.get(Math.toIntExact(number - floor));
  }
}
