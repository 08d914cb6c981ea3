package roll.parallel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import roll.parallel.world.StateRange;
import roll.torch.training.TrainState.Kind;

/**
 * A cache of a model's numbers that were gathered from ranks in several processes, in blocks: a few
 * blocks are kept, since files have the parameters of a layer in another order, and the next one is
 * prefetched. Owns the memory of the blocks. For use from any thread.
 */
final class GatheredBlocks implements AutoCloseable {
  private static final int KEPT = 4;

  private final RankProcesses processes;
  private final ToLongFunction<Kind> numbers;
  private final long size;
  private final Arena memory = Arena.ofShared();

  /** Gathered blocks, the most recently used first. */
  private final Deque<Block> blocks = new ArrayDeque<>();

  private @Nullable MemorySegment spare;

  /**
   * Creates an empty cache.
   *
   * @param numbers number of the model's numbers of a kind
   */
  GatheredBlocks(RankProcesses processes, ToLongFunction<Kind> numbers) {
    this(processes, numbers, StateRange.MOST);
  }

  /** Creates an empty cache with blocks of {@code size} numbers. */
  GatheredBlocks(RankProcesses processes, ToLongFunction<Kind> numbers, long size) {
    this.processes = processes;
    this.numbers = numbers;
    this.size = size;
  }

  /**
   * A block that was gathered, or is being gathered.
   *
   * @param changes number of the model's changes before it
   */
  private record Block(
      Kind kind,
      long number,
      long changes,
      MemorySegment memory,
      RankProcesses.Answers<Boolean> answers) {}

  /** Copies numbers from number {@code first} on. */
  synchronized void read(Kind kind, long first, MemorySegment target) {
    long end = first + target.byteSize() / Float.BYTES;
    for (long at = first; at < end; ) {
      Block block = block(kind, at / size);
      long begin = block.number() * size;
      if (begin + size < numbers.applyAsLong(kind)) {
        var unused = block(kind, block.number() + 1);
      }
      var unused = block.answers().await();
      long to = Math.min(end, begin + size);
      MemorySegment.copy(
          block.memory(),
          (at - begin) * Float.BYTES,
          target,
          (at - first) * Float.BYTES,
          (to - at) * Float.BYTES);
      at = to;
    }
  }

  private Block block(Kind kind, long number) {
    long changes = processes.changes();
    for (Iterator<Block> each = blocks.iterator(); each.hasNext(); ) {
      Block block = each.next();
      if (block.kind() == kind && block.number() == number && block.changes() == changes) {
        each.remove();
        blocks.addFirst(block);
        return block;
      }
    }
    MemorySegment room = room();
    long first = number * size;
    StateRange run = new StateRange(kind, first, Math.min(size, numbers.applyAsLong(kind) - first));
    MemorySegment part = room.asSlice(0, run.count() * Float.BYTES);
    try {
      Block begun = new Block(kind, number, changes, room, processes.gather(run, part));
      blocks.addFirst(begun);
      return begun;
    } catch (RuntimeException failure) {
      spare = room;
      throw failure;
    }
  }

  private MemorySegment room() {
    MemorySegment room = spare;
    if (room != null) {
      spare = null;
      return room;
    }
    if (blocks.size() < KEPT) {
      long most = Math.min(size, numbers.applyAsLong(Kind.WEIGHT));
      return memory.allocate(ValueLayout.JAVA_FLOAT, most);
    }
    Block oldest = blocks.removeLast();
    oldest.answers().settle();
    return oldest.memory();
  }

  @Override
  public synchronized void close() {
    blocks.forEach(block -> block.answers().settle());
    memory.close();
  }
}
