package roll.collectives.nccl;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import roll.parallel.collective.GroupAbort;
import roll.parallel.collective.RankFailure;
import roll.torch.foreign.CudaDriver;

/**
 * NCCL communicator of a GPU with a stream of its own. No native call blocks: NCCL is polled for
 * completion and failures, so that a lost rank, or {@link #abort} from another thread, ends the
 * waiting. Owns both.
 */
final class NcclConnection implements AutoCloseable, GroupAbort.Link {
  /** Number of polls without a pause; later pauses are 20 µs. */
  private static final int SPINS = 500;

  private static final long PAUSE = 20_000;

  private final Libraries libraries;
  private final int card;
  private final String label;
  private final Duration limit;
  private final GroupAbort ending;
  private final MemorySegment stream;
  private MemorySegment comm = MemorySegment.NULL;
  private boolean closed;

  /** NCCL and the CUDA driver of this process. */
  record Libraries(Nccl nccl, CudaDriver cuda) {}

  /**
   * Joins a group, and waits until all ranks have.
   *
   * @param label name of this end in messages
   * @param id NCCL's unique id, created by the first rank
   * @throws RankFailure if that fails, or takes longer than {@code limit}
   */
  NcclConnection(
      Libraries libraries,
      int card,
      String label,
      Duration limit,
      GroupAbort ending,
      byte[] id,
      int size,
      int rank) {
    this.libraries = libraries;
    this.card = card;
    this.label = label;
    this.limit = limit;
    this.ending = ending;
    libraries.cuda().use(card);
    this.stream = libraries.cuda().newStream();
    ending.join(this);
    guarded(
        () ->
            queue(
                "joining " + size + " ranks",
                ignored -> {
                  try (Arena arena = Arena.ofConfined()) {
                    MemorySegment out = arena.allocate(ADDRESS);
                    int result = libraries.nccl().init(out, size, id, rank);
                    comm = out.get(ADDRESS, 0);
                    return result;
                  }
                }));
  }

  /** Queues the operation {@code work}, and waits until the GPU has finished it. */
  void run(String what, ToIntFunction<Nccl.Queue> work) {
    guarded(
        () -> {
          queue(what, work);
          await(what);
        });
  }

  /** Copies between GPU and host memory. */
  void copy(MemorySegment from, MemorySegment to) {
    guarded(
        () -> {
          synchronized (this) {
            open();
            libraries.cuda().copy(from, to, stream);
          }
          await("a copy");
        });
  }

  /** Aborts the group on a failure, without a lock held, because that locks other connections. */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException failure) {
      ending.fail(failure);
      throw failure;
    }
  }

  /** Queues the operation {@code work}, and waits until NCCL has accepted it. */
  private void queue(String what, ToIntFunction<Nccl.Queue> work) {
    libraries.cuda().use(card);
    synchronized (this) {
      open();
      result(what, work.applyAsInt(new Nccl.Queue(comm, stream)));
    }
    until(what + " (ncclInProgress)", () -> result(what, libraries.nccl().state(comm)));
  }

  private void await(String what) {
    until(
        what,
        () -> {
          result(what, libraries.nccl().state(comm));
          return libraries.cuda().done(stream);
        });
  }

  /** Polls {@code done} with the communicator locked. */
  private void until(String what, BooleanSupplier done) {
    long start = System.nanoTime();
    for (int looks = 0; ; looks++) {
      synchronized (this) {
        open();
        if (done.getAsBoolean()) {
          return;
        }
      }
      if (System.nanoTime() - start > limit.toNanos()) {
        throw failed("%s took longer than %s s".formatted(what, seconds(limit)));
      }
      if (looks < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(PAUSE);
      }
    }
  }

  private static String seconds(Duration limit) {
    return String.valueOf(limit.toMillis() / 1000.0);
  }

  private void open() {
    ending.check();
    if (closed) {
      throw new IllegalStateException(label + " is closed");
    }
  }

  /** Returns whether {@code result} is success rather than in progress; throws a failure. */
  private boolean result(String what, int result) {
    if (result == Nccl.SUCCESS || result == Nccl.IN_PROGRESS) {
      return result == Nccl.SUCCESS;
    }
    String last = comm.address() == 0 ? "" : libraries.nccl().lastError(comm);
    throw failed(
        "%s: NCCL says: %s%s"
            .formatted(
                what, libraries.nccl().text(result), last.isEmpty() ? "" : " (" + last + ")"));
  }

  private RankFailure failed(String message) {
    return new RankFailure(label + ": " + message);
  }

  /** Ends queued operations, and the waiting of other ranks for them. Thread-safe. */
  @Override
  public synchronized void abort() {
    if (comm.address() != 0) {
      libraries.cuda().use(card);
      libraries.nccl().abort(comm);
      comm = MemorySegment.NULL;
    }
    release();
  }

  @Override
  public synchronized void close() {
    ending.leave(this);
    if (comm.address() != 0) {
      libraries.cuda().use(card);
      libraries.nccl().destroy(comm);
      comm = MemorySegment.NULL;
    }
    release();
  }

  private void release() {
    if (!closed) {
      closed = true;
      libraries.cuda().closeStream(stream);
    }
  }
}
