package roll.http;

/** The body of a request, whole. It counts among the bodies that are held until it is closed. */
public final class Body implements AutoCloseable {
  private byte[] bytes;
  private final BodyBudget budget;
  private int taken;

  Body(byte[] bytes, int taken, BodyBudget budget) {
    this.bytes = bytes;
    this.taken = taken;
    this.budget = budget;
  }

  /** The bytes, which are nobody's to change. */
  public byte[] bytes() {
    return bytes;
  }

  /** Gives up the bytes before it is closed. */
  public void release() {
    budget.giveBack(taken);
    taken = 0;
    bytes = new byte[0];
  }

  @Override
  public void close() {
    release();
  }
}
