package roll.collectives.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import roll.collectives.nccl.NcclConnection.Libraries;
import roll.parallel.collective.GroupAbort;

/**
 * One end of an ordered channel for messages from one rank to another. NCCL's send waits for the
 * receiver and blocks later operations of its communicator, so each direction of each pair has a
 * communicator of its own, opened by the first message, and a thread that waits instead of the
 * sender. Owns both, and the copies of unsent messages.
 */
final class MessageChannel implements AutoCloseable {
  private final NcclCommunicator owner;
  private final Libraries libraries;
  private final GroupAbort ending;
  private final int card;
  private final int other;
  private final boolean sends;
  private final ExecutorService sender;
  private final MemorySegment stream;
  private final Set<MemorySegment> unsent = ConcurrentHashMap.newKeySet();
  private volatile @Nullable NcclConnection link;

  /** Creates one end, on the thread of the rank. */
  MessageChannel(
      NcclCommunicator owner,
      Libraries libraries,
      GroupAbort ending,
      int card,
      int other,
      boolean sends) {
    this.owner = owner;
    this.libraries = libraries;
    this.ending = ending;
    this.card = card;
    this.other = other;
    this.sends = sends;
    this.stream = libraries.cuda().newStream();
    this.sender =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("roll-nccl-send").daemon(true).factory());
  }

  /** Returns the connection; called on the thread of the sender or the receiver. */
  private NcclConnection link() {
    NcclConnection open = link;
    if (open == null) {
      String way = sends ? owner.rank() + " to " + other : other + " to " + owner.rank();
      String what = "messages from rank " + way;
      open = owner.join(", " + what, what, 2, sends ? 0 : 1);
      link = open;
    }
    return open;
  }

  /** Copies {@code bytes}, which are sent when the other rank receives. */
  void send(MemorySegment bytes) {
    MemorySegment copy = libraries.cuda().allocate(bytes.byteSize());
    unsent.add(copy);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment from =
          bytes.isNative() ? bytes : arena.allocate(bytes.byteSize()).copyFrom(bytes);
      libraries.cuda().copy(from, copy, stream);
      while (!libraries.cuda().done(stream)) {
        Thread.onSpinWait();
      }
    }
    sender.execute(() -> deliver(copy));
  }

  private void deliver(MemorySegment copy) {
    try {
      libraries.cuda().use(card);
      ending.check();
      link().run("a message", to -> libraries.nccl().send(NcclCommunicator.bytes(copy), 1, to));
    } catch (RuntimeException failure) {
      ending.fail(failure);
    } finally {
      free(copy);
    }
  }

  private void free(MemorySegment copy) {
    if (unsent.remove(copy)) {
      libraries.cuda().free(copy);
    }
  }

  /** Waits for the next message. */
  void receive(MemorySegment bytes, StagingBuffers staging) {
    NcclConnection open = link();
    staging.with(
        bytes,
        StagingBuffers.Use.WRITE,
        0,
        open,
        memory ->
            open.run(
                "a message",
                to -> libraries.nccl().receive(NcclCommunicator.bytes(memory), 0, to)));
  }

  /** Drops messages that are not received within a second. */
  @Override
  public void close() {
    sender.shutdown();
    NcclConnection open = link;
    try {
      if (!sender.awaitTermination(1, TimeUnit.SECONDS) && open != null) {
        open.abort();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    if (open != null) {
      open.close();
    }
    List.copyOf(unsent).forEach(this::free);
    libraries.cuda().closeStream(stream);
  }
}
