package roll.template.jinja.value;

import java.util.Iterator;
import java.util.stream.LongStream;

/**
 * A Python range.
 *
 * @param start first number
 * @param stop not reached any more
 * @param step not 0
 */
public record Range(long start, long stop, long step) implements Iterable<Object> {
  private static final int LONGEST = 100_000;

  /** Numbers in steps that are not 0. */
  public Range {
    if (step == 0) {
      throw new TemplateException("range() arg 3 must not be zero");
    }
    long distance = step > 0 ? stop - start : start - stop;
    if (distance > 0 && (distance - 1) / Math.abs(step) + 1 > LONGEST) {
      throw new TemplateException("Range too big. The maximum is " + LONGEST);
    }
  }

  /** Number of elements of the range. */
  int size() {
    long distance = step > 0 ? stop - start : start - stop;
    return distance <= 0 ? 0 : (int) ((distance - 1) / Math.abs(step) + 1);
  }

  /** Returns the element {@code index} of the range. */
  long get(int index) {
    return start + index * step;
  }

  @Override
  public Iterator<Object> iterator() {
    return LongStream.range(0, size()).mapToObj(i -> (Object) get((int) i)).iterator();
  }

  @Override
  public String toString() {
    return "range(" + start + ", " + stop + (step == 1 ? "" : ", " + step) + ")";
  }
}
