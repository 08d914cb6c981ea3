package roll.rollout;

import java.util.AbstractList;

/** Throws whatever it is asked. */
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
