package roll.cluster.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Copies a version by several threads, since whoever publishes it waits for that. */
final class VersionCopy {
  /** Bytes that are worth a thread. */
  private static final long WORTH = 1 << 25;

  /** Bytes that a thread takes at once. */
  private static final int PART = 1 << 22;

  private static final int MOST_THREADS = 4;

  private VersionCopy() {}

  /** Fills {@code to}; what {@code reader} throws is thrown. */
  static void run(VersionReader reader, MemorySegment to) {
    int cores = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
    int threads = Math.clamp(to.byteSize() / WORTH, 1, cores);
    AtomicLong next = new AtomicLong();
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      tasks.add(new FutureTask<>(() -> work(reader, to, next), null));
    }
    for (FutureTask<Void> task : tasks.subList(1, threads)) {
      Thread.ofPlatform().daemon().name("roll-transfer-copy").start(task);
    }
    tasks.getFirst().run();
    RuntimeException failed = null;
    for (FutureTask<Void> task : tasks) {
      RuntimeException failure = failure(task);
      failed = failed == null ? failure : failed;
    }
    if (failed != null) {
      throw failed;
    }
  }

  private static void work(VersionReader reader, MemorySegment to, AtomicLong next) {
    for (long at; (at = next.getAndAdd(PART)) < to.byteSize(); ) {
      copy(reader, to, at, Math.min(at + PART, to.byteSize()));
    }
  }

  private static void copy(VersionReader reader, MemorySegment to, long from, long end) {
    for (long at = from; at < end; ) {
      MemorySegment target = to.asSlice(at, end - at);
      MemorySegment bytes = reader.read(at, target);
      if (bytes.address() != target.address() || bytes.isNative() != target.isNative()) {
        MemorySegment.copy(bytes, 0, to, at, bytes.byteSize());
      }
      at += bytes.byteSize();
    }
  }

  /** Waits, even if interrupted, since the memory is written meanwhile. */
  private static @Nullable RuntimeException failure(FutureTask<Void> task) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          task.get();
          return null;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      return e.getCause() instanceof RuntimeException thrown
          ? thrown
          : new CompletionException(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
