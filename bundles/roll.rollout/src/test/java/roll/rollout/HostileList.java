package roll.rollout;

import java.util.AbstractList;

/** A list whose methods throw. */
final class HostileList<T> extends AbstractList<T> {
  @Override
  public T get(int index) {
    throw new StackOverflowError();
  }

  @Override
  public int size() {
    throw new StackOverflowError();
  }
}
