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
 * One rank's end of a process group of c10d: connections to all others, and threads that work on
 * operations. Nothing is waited for in native code, for what fails there is a C++ exception, which
 * the JVM would not survive: operations are polled, and end when their connections are closed.
 */
final class GlooLink implements AutoCloseable, GroupAbort.Link {
  /** Looks without a pause, then one every 20 µs, and after 2 ms every 200. */
  private static final int SPINS = 200;

  private static final int SHORT_PAUSES = 100;
  private static final long PAUSE = 20_000;

  /** Nanoseconds in which a copy that is under way has ended. */
  private static final long SETTLING = 1_000_000_000;

  private final Gloo gloo;
  private final GroupAbort ending;
  private final String label;
  private final Duration limit;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment device = arena.allocate(16, 8);
  private final MemorySegment group = arena.allocate(16384, 16);
  private final PeerNames peers;
  private boolean closed;

  /** Adds an operation to the group's. */
  interface Operation {
    void begin(MemorySegment work, MemorySegment group);
  }

  /**
   * Connects to all others.
   *
   * @param label how messages call this end
   * @param hosts by index, what the others reach each by; this end binds to its own alone
   * @param ranks by index, how messages call the rank that it is
   * @param index which of them this is
   * @param exchange tells all others what this end says, and gives what each says
   */
  GlooLink(
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
    gloo.run(Symbol.CREATE_DEVICE, device, Cpp.string(hosts.get(index), arena));
    try {
      peers = new PeerNames(connect(ranks.size(), index, exchange), hosts, ranks, index);
      // a second more than the limit here, which says it better
      context(context -> gloo.limit(context, limit.toMillis() + 1000));
    } catch (RuntimeException failure) {
      ending.fail(failure);
      throw failure;
    }
    ending.join(this);
  }

  /**
   * The constructor of c10d leaves its address in a store and waits there for those of the others,
   * however long; here they are passed on. If some do not come, its thread is left behind: it waits
   * without an end, since it would throw at one.
   */
  private List<byte[]> connect(int size, int rank, Function<byte[], List<byte[]>> exchange) {
    Path file = temporary();
    try {
      AddressStore store = new AddressStore(gloo, file, arena);
      MemorySegment options = Cpp.owned(gloo.options(device, arena), arena);
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

  /** Has an operation done by the group's threads, and waits for it. */
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
      ending.fail(failure); // closes the connections, at which what the group's threads do ends
      settle(work[0]);
      throw failure;
    } finally {
      if (work[0].address() != 0) {
        Cpp.release(work[0]);
      }
    }
  }

  /**
   * Gives the group's threads the time to end what they do with the memory of {@code work}, for its
   * owner may free it: to copy a slice takes milliseconds. One that only waits for others does not
   * touch it any more, now that the connections are closed, but may wait as long as Gloo's limit.
   */
  private void settle(MemorySegment work) {
    long end = System.nanoTime() + SETTLING;
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
      throw new RankFailure(label + ": " + what + ": " + peers.in(message(work)));
    }
    return true;
  }

  private String message(MemorySegment work) {
    try (Arena results = Arena.ofConfined()) {
      MemorySegment pointer = results.allocate(ADDRESS);
      gloo.run(Symbol.EXCEPTION, pointer, work);
      MemorySegment exception = pointer.get(ADDRESS, 0);
      return exception.address() == 0 ? "failed" : Cpp.what(exception);
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

  /** Closes the connections: what waits for others fails here, and there. */
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
   * Waits until the group's threads have ended; after a failure, when some may still wait as long
   * as the limit, another thread does that.
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
