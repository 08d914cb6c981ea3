package roll.http;

import java.util.concurrent.Semaphore;

/** The body of a request, whole. It counts among the bodies that are held until it is closed. */
public final class Body implements AutoCloseable {
  private byte[] bytes;
  private final Semaphore room;
  private int taken;

  Body(byte[] bytes, int taken, Semaphore room) {
    this.bytes = bytes;
    this.taken = taken;
    this.room = room;
  }

  /** The bytes, which are nobody's to change. */
  public byte[] bytes() {
    return bytes;
  }

  /** Gives up the bytes before it is closed. */
  public void release() {
    room.release(taken);
    taken = 0;
    bytes = new byte[0];
  }

  @Override
  public void close() {
    release();
  }
}
