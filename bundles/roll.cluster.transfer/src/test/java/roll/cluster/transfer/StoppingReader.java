package roll.cluster.transfer;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Stops before a byte: the first time for a digest, at a node that is asked for a manifest. */
final class StoppingReader implements VersionReader {
  final CountDownLatch reached = new CountDownLatch(1);
  final CountDownLatch goOn = new CountDownLatch(1);
  private final VersionReader reader;
  private final long stop;
  private final int time;
  private final AtomicInteger times = new AtomicInteger();

  StoppingReader(VersionReader reader, long stop, int time) {
    this.reader = reader;
    this.stop = stop;
    this.time = time;
  }

  @Override
  public MemorySegment read(long at, MemorySegment scratch) {
    if (at == stop && times.incrementAndGet() == time) {
      reached.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return reader.read(at, scratch);
  }
}
