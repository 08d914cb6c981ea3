package roll.collectives.gloo;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import roll.collectives.gloo.Gloo.Symbol;
import roll.parallel.collective.GroupAbort;
import roll.parallel.collective.RankFailure;

/**
 * End of a c10d process group in one rank: connections to all others, and threads that run the
 * operations. Operations are polled instead of waiting in native code, where a failure would be a
 * C++ exception that ends the JVM; closing the connections ends them.
 */
final class GlooConnection implements AutoCloseable, GroupAbort.Link {
  /** Number of polls without a pause, and then with one of 20 µs; later pauses are 200 µs. */
  private static final int SPINS = 200;

  private static final int SHORT_PAUSES = 100;
  private static final long PAUSE = 20_000;

  /** Maximum nanoseconds until a copy in progress has ended. */
  private static final long SETTLE_NANOS = 1_000_000_000;

  private final Gloo gloo;
  private final GroupAbort ending;
  private final String label;
  private final Duration limit;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment device = arena.allocate(16, 8);
  private final MemorySegment group = arena.allocate(16384, 16);
  private final LostRankFinder peers;
  private boolean closed;

  /** Starts an operation of the group. */
  interface Operation {
    void begin(MemorySegment work, MemorySegment group);
  }

  /**
   * Connects this rank to all others.
   *
   * @param label name of this end in messages
   * @param hosts addresses by index; this end binds to its own only
   * @param ranks ranks by index, for messages
   * @param index index of this end
   * @param exchange sends the address of this end to all others, and returns those of all
   */
  GlooConnection(
      Gloo gloo,
      GroupAbort ending,
      String label,
      Duration limit,
      List<String> hosts,
      List<Integer> ranks,
      int index,
      Function<byte[], List<byte[]>> exchange) {
    this.gloo = gloo;
    this.ending = ending;
    this.label = label;
    this.limit = limit;
    gloo.run(Symbol.CREATE_DEVICE, device, CppObjects.string(hosts.get(index), arena));
    try {
      peers = new LostRankFinder(connect(ranks.size(), index, exchange), hosts, ranks, index);
      // a second more than the timeout in Java, whose message is better
      context(context -> gloo.setTimeout(context, limit.toMillis() + 1000));
    } catch (RuntimeException failure) {
      ending.fail(failure);
      throw failure;
    }
    ending.join(this);
  }

  /**
   * Passes addresses to the constructor of c10d, which stores its own address and waits for those
   * of the others. If some are missing, its thread remains: it waits without a timeout, which would
   * throw.
   */
  private List<byte[]> connect(int size, int rank, Function<byte[], List<byte[]>> exchange) {
    Path file = temporary();
    try {
      AddressStore store = new AddressStore(gloo, file, arena);
      MemorySegment options = CppObjects.owned(gloo.options(device, arena), arena);
      Thread joining =
          Thread.ofPlatform()
              .name("roll-gloo-join")
              .daemon(true)
              .start(() -> gloo.run(Symbol.NEW_GROUP, group, store.pointer(), rank, size, options));
      until("joining " + size + " ranks", () -> size == 1 || store.has(rank));
      List<byte[]> all =
          size == 1 ? List.of(new byte[0]) : ending.await(() -> exchange.apply(store.get(rank)));
      for (int other = 0; other < size; other++) {
        if (other != rank) {
          store.set(other, all.get(other));
        }
      }
      until("joining " + size + " ranks", () -> !joining.isAlive());
      return all;
    } finally {
      try {
        Files.deleteIfExists(file);
      } catch (IOException left) {
        file.toFile().deleteOnExit();
      }
    }
  }

  private static Path temporary() {
    try {
      return Files.createTempFile("roll-gloo", "");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Runs an operation on the threads of the group, and waits for it. */
  void run(String what, Operation operation) {
    MemorySegment[] work = {MemorySegment.NULL};
    try {
      synchronized (this) {
        open();
        try (Arena results = Arena.ofConfined()) {
          MemorySegment out = results.allocate(ADDRESS);
          operation.begin(out, group);
          work[0] = out.get(ADDRESS, 0);
        }
      }
      until(what, () -> completed(what, work[0]));
    } catch (RuntimeException failure) {
      ending.fail(failure); // closes the connections, which ends the operation
      settle(work[0]);
      throw failure;
    } finally {
      if (work[0].address() != 0) {
        CppObjects.release(work[0]);
      }
    }
  }

  /**
   * Waits until the threads of the group have finished copying the memory of {@code work}, which
   * its owner may free. After the connections are closed, a thread that waits for others no longer
   * uses the memory, but may wait until Gloo's timeout.
   */
  private void settle(MemorySegment work) {
    long end = System.nanoTime() + SETTLE_NANOS;
    while (work.address() != 0 && System.nanoTime() < end && !gloo.is(Symbol.IS_COMPLETED, work)) {
      LockSupport.parkNanos(10 * PAUSE);
    }
  }

  private boolean completed(String what, MemorySegment work) {
    if (!gloo.is(Symbol.IS_COMPLETED, work)) {
      return false;
    }
    if (!gloo.is(Symbol.IS_SUCCESS, work)) {
      ending.check(); // closed because the group had failed already
      throw new RankFailure(label + ": " + what + ": " + peers.describe(message(work)));
    }
    return true;
  }

  private String message(MemorySegment work) {
    try (Arena results = Arena.ofConfined()) {
      MemorySegment pointer = results.allocate(ADDRESS);
      gloo.run(Symbol.EXCEPTION, pointer, work);
      MemorySegment exception = pointer.get(ADDRESS, 0);
      return exception.address() == 0 ? "failed" : CppObjects.what(exception);
    }
  }

  private void until(String what, BooleanSupplier done) {
    long start = System.nanoTime();
    for (int looks = 0; !done.getAsBoolean(); looks++) {
      ending.check();
      if (System.nanoTime() - start > limit.toNanos()) {
        throw new RankFailure(
            "%s: %s took longer than %s s".formatted(label, what, limit.toMillis() / 1000.0));
      }
      if (looks < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(looks < SPINS + SHORT_PAUSES ? PAUSE : 10 * PAUSE);
      }
    }
  }

  private void open() {
    ending.check();
    if (closed) {
      throw new IllegalStateException(label + " is closed");
    }
  }

  /** Closes the connections, which fails waiting operations of all ranks. */
  @Override
  public synchronized void abort() {
    if (closed) {
      return;
    }
    context(context -> gloo.run(Symbol.CLOSE_CONNECTIONS, context));
  }

  private void context(Consumer<MemorySegment> use) {
    try (Arena results = Arena.ofConfined()) {
      MemorySegment shared = results.allocate(16, 8);
      gloo.run(Symbol.CONTEXT, shared, group, 0);
      try {
        use.accept(shared.get(ADDRESS, 0));
      } finally {
        gloo.run(Symbol.RELEASE_SHARED, shared.get(ADDRESS, 8));
      }
    }
  }

  /**
   * Waits until the threads of the group have ended; after a failure, when some may wait until the
   * timeout, another thread does so.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    ending.leave(this);
    if (ending.failed()) {
      Thread.ofPlatform().name("roll-gloo-close").daemon(true).start(this::free);
    } else {
      free();
    }
  }

  private void free() {
    gloo.run(Symbol.DELETE_GROUP, group);
    gloo.run(Symbol.RELEASE_SHARED, device.get(ADDRESS, 8));
    arena.close();
  }
}
