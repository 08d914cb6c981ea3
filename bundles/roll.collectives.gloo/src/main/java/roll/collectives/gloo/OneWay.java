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
 * Messages from one rank to another, in their order: two ends, one in each rank, with a connection
 * of their own, which the first message makes, and a thread in the sender that waits in its place.
 * Owns both.
 */
final class OneWay implements AutoCloseable {
  private final GlooCommunicator owner;
  private final GroupAbort ending;
  private final int other;
  private final boolean sends;
  private final ExecutorService sender;
  private final Queue<Room> rooms = new ConcurrentLinkedQueue<>();
  private volatile @Nullable GlooLink link;

  /** Memory of a message on its way. */
  private record Room(Arena arena, MemorySegment memory) {
    static Room of(long bytes) {
      Arena arena = Arena.ofShared();
      return new Room(arena, arena.allocate(bytes, 8));
    }

    void free() {
      arena.close();
    }
  }

  OneWay(GlooCommunicator owner, GroupAbort ending, int other, boolean sends) {
    this.owner = owner;
    this.ending = ending;
    this.other = other;
    this.sends = sends;
    this.sender =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("roll-gloo-send").daemon(true).factory());
  }

  /** On the sender's thread, or the receiver's. */
  private GlooLink link() {
    GlooLink open = link;
    if (open == null) {
      String way = sends ? owner.rank() + " to " + other : other + " to " + owner.rank();
      String what = "messages from rank " + way;
      List<Integer> ranks = sends ? List.of(owner.rank(), other) : List.of(other, owner.rank());
      open = owner.join(", " + what, what, ranks);
      link = open;
    }
    return open;
  }

  /** Copies {@code bytes}; they are sent as soon as the other wants them. */
  void send(MemorySegment bytes) {
    Room room = room(bytes.byteSize());
    MemorySegment copy = room.memory().asSlice(0, bytes.byteSize()).copyFrom(bytes);
    sender.execute(
        () -> {
          try {
            ending.check();
            owner.broadcast(link(), copy, 0);
            rooms.add(room);
          } catch (RuntimeException failure) {
            room.free();
            ending.fail(failure);
          }
        });
  }

  /** Memory of a message that is on its way no more, or new memory. */
  private Room room(long bytes) {
    Room room = rooms.poll();
    if (room != null && room.memory().byteSize() >= bytes) {
      return room;
    }
    if (room != null) {
      room.free();
    }
    return Room.of(bytes);
  }

  /** Waits for the next message. */
  void receive(MemorySegment bytes) {
    owner.broadcast(link(), bytes, 0);
  }

  /** Drops what nobody has received for a second. */
  @Override
  public void close() {
    sender.execute(() -> rooms.forEach(Room::free)); // behind the last message
    sender.shutdown();
    GlooLink open = link;
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
