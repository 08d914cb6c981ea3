package roll.collectives.gloo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import roll.parallel.collective.GroupAbort;

/**
 * One end of an ordered channel for messages from one rank to another. It has a connection of its
 * own, opened by the first message, and a thread that waits for the receiver instead of the sender.
 * Owns both.
 */
final class MessageChannel implements AutoCloseable {
  private final GlooCommunicator owner;
  private final GroupAbort ending;
  private final int other;
  private final boolean sends;
  private final ExecutorService sender;
  private final Queue<Buffer> buffers = new ConcurrentLinkedQueue<>();
  private volatile @Nullable GlooConnection link;

  /** Memory of a message until it is sent. */
  private record Buffer(Arena arena, MemorySegment memory) {
    static Buffer of(long bytes) {
      Arena arena = Arena.ofShared();
      return new Buffer(arena, arena.allocate(bytes, 8));
    }

    void free() {
      arena.close();
    }
  }

  MessageChannel(GlooCommunicator owner, GroupAbort ending, int other, boolean sends) {
    this.owner = owner;
    this.ending = ending;
    this.other = other;
    this.sends = sends;
    this.sender =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("roll-gloo-send").daemon(true).factory());
  }

  /** Returns the connection; called on the thread of the sender or the receiver. */
  private GlooConnection link() {
    GlooConnection open = link;
    if (open == null) {
      String way = sends ? owner.rank() + " to " + other : other + " to " + owner.rank();
      String what = "messages from rank " + way;
      List<Integer> ranks = sends ? List.of(owner.rank(), other) : List.of(other, owner.rank());
      open = owner.join(", " + what, what, ranks);
      link = open;
    }
    return open;
  }

  /** Copies {@code bytes}, which are sent when the other rank receives. */
  void send(MemorySegment bytes) {
    Buffer buffer = buffer(bytes.byteSize());
    MemorySegment copy = buffer.memory().asSlice(0, bytes.byteSize()).copyFrom(bytes);
    sender.execute(
        () -> {
          try {
            ending.check();
            owner.broadcast(link(), copy, 0);
            buffers.add(buffer);
          } catch (RuntimeException failure) {
            buffer.free();
            ending.fail(failure);
          }
        });
  }

  /** Returns a free buffer, or a new one. */
  private Buffer buffer(long bytes) {
    Buffer buffer = buffers.poll();
    if (buffer != null && buffer.memory().byteSize() >= bytes) {
      return buffer;
    }
    if (buffer != null) {
      buffer.free();
    }
    return Buffer.of(bytes);
  }

  /** Waits for the next message. */
  void receive(MemorySegment bytes) {
    owner.broadcast(link(), bytes, 0);
  }

  /** Drops messages that are not received within a second. */
  @Override
  public void close() {
    sender.execute(() -> buffers.forEach(Buffer::free)); // after the last message
    sender.shutdown();
    GlooConnection open = link;
    try {
      if (!sender.awaitTermination(1, TimeUnit.SECONDS)) {
        ending.fail(new IllegalStateException("the group was closed"));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    if (open != null) {
      open.close();
    }
  }
}
