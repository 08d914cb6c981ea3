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
import java.util.function.Function;
import roll.torch.collective.GroupEnding;
import roll.torch.collective.RankFailure;

/**
 * One rank's end of a process group of c10d: connections to all others, and threads that work on
 * operations. Nothing is waited for in native code, for what fails there is a C++ exception, which
 * the JVM would not survive: operations are polled, and end when their connections are closed.
 */
final class GlooLink implements AutoCloseable, GroupEnding.Link {
  /** Looks without a pause, then one every 20 µs, and after 2 ms every 200. */
  private static final int SPINS = 200;

  private static final int SHORT_PAUSES = 100;
  private static final long PAUSE = 20_000;

  private final Gloo gloo;
  private final GroupEnding ending;
  private final String label;
  private final Duration limit;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment device = arena.allocate(16, 8);
  private final MemorySegment group = arena.allocate(16384, 16);
  private final List<byte[]> addresses;
  private boolean closed;

  /** Adds an operation to the group's. */
  interface Operation {
    void begin(MemorySegment work, MemorySegment group) throws Throwable;
  }

  /**
   * Connects to all others.
   *
   * @param label how messages call this end
   * @param host what the others reach this process by; bound to it alone
   * @param exchange tells all others what this end says, and gives what each says
   */
  GlooLink(
      Gloo gloo,
      GroupEnding ending,
      String label,
      Duration limit,
      String host,
      int size,
      int rank,
      Function<byte[], List<byte[]>> exchange) {
    this.gloo = gloo;
    this.ending = ending;
    this.label = label;
    this.limit = limit;
    MemorySegment name = Cpp.string(host, arena);
    Gloo.run(() -> gloo.device.invoke(device, name));
    try {
      addresses = connect(size, rank, exchange);
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
              .start(
                  () ->
                      Gloo.run(
                          () -> gloo.group.invoke(group, store.pointer(), rank, size, options)));
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
        MemorySegment out = Arena.ofAuto().allocate(ADDRESS);
        Gloo.run(() -> operation.begin(out, group));
        work[0] = out.get(ADDRESS, 0);
      }
      until(what, () -> completed(what, work[0]));
    } catch (RuntimeException failure) {
      ending.fail(failure);
      settle(work[0]);
      throw failure;
    }
    Cpp.release(work[0]);
  }

  private boolean completed(String what, MemorySegment work) {
    if (!Cpp.call(() -> (boolean) gloo.completed.invoke(work))) {
      return false;
    }
    if (!Cpp.call(() -> (boolean) gloo.success.invoke(work))) {
      ending.check(); // closed because the group had failed already
      throw new RankFailure(label + ": " + what + ": " + lost(message(work)));
    }
    return true;
  }

  private String message(MemorySegment work) {
    MemorySegment pointer = Arena.ofAuto().allocate(ADDRESS);
    Gloo.run(() -> gloo.exception.invoke(pointer, work));
    MemorySegment exception = pointer.get(ADDRESS, 0);
    return exception.address() == 0 ? "failed" : Cpp.what(exception);
  }

  /** Names the rank whose connection a message of Gloo is about. */
  private String lost(String message) {
    return PeerNames.of(addresses).in(message);
  }

  /** The memory that an operation uses must live until it has ended, which closing makes it do. */
  private void settle(MemorySegment work) {
    if (work.address() == 0) {
      return;
    }
    long start = System.nanoTime();
    while (!Cpp.call(() -> (boolean) gloo.completed.invoke(work))
        && System.nanoTime() - start < 5_000_000_000L) {
      LockSupport.parkNanos(PAUSE);
    }
  }

  private void until(String what, BooleanSupplier done) {
    long start = System.nanoTime();
    for (int looks = 0; !done.getAsBoolean(); looks++) {
      if (System.nanoTime() - start > limit.toNanos()) {
        ending.check();
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
    MemorySegment shared = Arena.ofAuto().allocate(16, 8);
    Gloo.run(() -> gloo.context.invoke(shared, group, 0));
    Gloo.run(() -> gloo.closeConnections.invoke(shared.get(ADDRESS, 0)));
    Gloo.run(() -> gloo.releaseShared.invoke(shared.get(ADDRESS, 8)));
  }

  /** Waits until the group's threads have ended. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    ending.leave(this);
    Gloo.run(() -> gloo.closeGroup.invoke(group));
    Gloo.run(() -> gloo.releaseShared.invoke(device.get(ADDRESS, 8)));
    arena.close();
  }
}
