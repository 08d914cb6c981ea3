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
import roll.collectives.nccl.CardLink.Libraries;
import roll.parallel.collective.GroupAbort;

/**
 * Messages from one rank to another, in their order: two ends, one in each rank. NCCL's send waits
 * for the receiver, and on one communicator everything behind it, too; so each direction of each
 * pair has a communicator of its own, and its sender a thread that waits in its place. Made by the
 * first message. Owns both, and copies of the messages that are on their way.
 */
final class OneWayLink implements AutoCloseable {
  private final CardCommunicator owner;
  private final Libraries libraries;
  private final GroupAbort ending;
  private final int card;
  private final int other;
  private final boolean sends;
  private final ExecutorService sender;
  private final MemorySegment stream;
  private final Set<MemorySegment> underWay = ConcurrentHashMap.newKeySet();
  private volatile @Nullable CardLink link;

  /** One end; on the rank's thread. */
  OneWayLink(
      CardCommunicator owner,
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

  /** On the sender's thread, or the receiver's. */
  private CardLink link() {
    CardLink open = link;
    if (open == null) {
      String way = sends ? owner.rank() + " to " + other : other + " to " + owner.rank();
      String what = "messages from rank " + way;
      open = owner.join(", " + what, what, 2, sends ? 0 : 1);
      link = open;
    }
    return open;
  }

  /** Copies {@code bytes}; they are sent as soon as the other wants them. */
  void send(MemorySegment bytes) {
    MemorySegment copy = libraries.cuda().allocate(bytes.byteSize());
    underWay.add(copy);
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
      link().run("a message", to -> libraries.nccl().send(CardCommunicator.bytes(copy), 1, to));
    } catch (RuntimeException failure) {
      ending.fail(failure);
    } finally {
      free(copy);
    }
  }

  private void free(MemorySegment copy) {
    if (underWay.remove(copy)) {
      libraries.cuda().free(copy);
    }
  }

  /** Waits for the next message. */
  void receive(MemorySegment bytes, Staging staging) {
    CardLink open = link();
    staging.with(
        bytes,
        Staging.Use.WRITE,
        0,
        open,
        memory ->
            open.run(
                "a message",
                to -> libraries.nccl().receive(CardCommunicator.bytes(memory), 0, to)));
  }

  /** Drops what nobody has received for a second. */
  @Override
  public void close() {
    sender.shutdown();
    CardLink open = link;
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
    List.copyOf(underWay).forEach(this::free);
    libraries.cuda().closeStream(stream);
  }
}
