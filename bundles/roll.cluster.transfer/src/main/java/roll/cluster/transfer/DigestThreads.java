package roll.cluster.transfer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Computes digests: half of the processor's cores, four at most, in threads that end when idle. */
final class DigestThreads implements AutoCloseable {
  private static final int SCRATCH = 1 << 18;

  private final int count = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 4);
  private final ThreadPoolExecutor threads;

  DigestThreads(String name) {
    threads =
        new ThreadPoolExecutor(
            count,
            count,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name(name + "-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /** Begins to compute those of {@code held}, in order. */
  void compute(HeldVersion held) {
    AtomicInteger next = new AtomicInteger();
    for (int i = 0; i < count; i++) {
      threads.execute(() -> run(held, next));
    }
  }

  private static void run(HeldVersion held, AtomicInteger next) {
    MessageDigest function = ChunkDigests.function();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment scratch = arena.allocate(SCRATCH);
      for (int i; (i = next.getAndIncrement()) < held.manifest().chunks(); ) {
        if (!held.use(null)) {
          return;
        }
        try {
          held.read(i, scratch, bytes -> function.update(bytes.asByteBuffer()));
        } finally {
          held.unuse(null);
        }
        held.digests().set(i, function.digest());
      }
    } catch (Exception e) {
      held.digests().fail(held.manifest().id() + " cannot be read: " + e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
