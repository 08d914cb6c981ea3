package roll.cluster.pekko;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one member that have come, by their numbers: a call that comes twice begins once,
 * and its answer can be sent again until the member has it. Can be used by all threads.
 */
final class HeardCalls {
  private static final byte[] NOT_YET = {};

  private final Map<Long, byte[]> answers = new HashMap<>();

  /** Whose answers the member has, by their numbers less {@link #floor}. */
  private BitSet over = new BitSet();

  private long floor = 1;

  /** Whether the call has not come before; then it has come now. */
  synchronized boolean begin(long number) {
    return !over(number) && answers.putIfAbsent(number, NOT_YET) == null;
  }

  /** Has the answer to a call. */
  synchronized void answered(long number, byte[] answer) {
    answers.computeIfPresent(number, (_, _) -> answer);
  }

  /** Whether the call has come. */
  synchronized boolean heard(long number) {
    return over(number) || answers.containsKey(number);
  }

  /** The answer to a call; null if there is none yet, or nobody waits for it any more. */
  synchronized byte @Nullable [] answer(long number) {
    byte[] answer = answers.get(number);
    return answer == NOT_YET ? null : answer;
  }

  /** The member waits for the answer to {@code number} no more; nor to any below {@code least}. */
  synchronized void taken(long number, long least) {
    if (number >= floor) {
      answers.remove(number);
      over.set(Math.toIntExact(number - floor));
    }
    raise(least);
  }

  /** The member waits for no answer to a number below {@code least}. */
  synchronized void raise(long least) {
    if (least > floor) {
      long by = least - floor;
      over = by >= over.length() ? new BitSet() : over.get((int) by, over.length());
      floor = least;
      answers.keySet().removeIf(number -> number < least);
    }
  }

  private boolean over(long number) {
    return number < floor || over.get(Math.toIntExact(number - floor));
  }
}
