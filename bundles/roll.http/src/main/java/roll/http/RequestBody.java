package roll.http;

import java.util.concurrent.Semaphore;

/**
 * A complete request body. It counts against the limit of all bodies in memory until it is closed.
 */
public final class RequestBody implements AutoCloseable {
  private byte[] bytes;
  private final Semaphore room;
  private int taken;

  RequestBody(byte[] bytes, int taken, Semaphore room) {
    this.bytes = bytes;
    this.taken = taken;
    this.room = room;
  }

  /** Returns the bytes, which must not be modified. */
  public byte[] bytes() {
    return bytes;
  }

  /** Releases the memory before the body is closed. */
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
