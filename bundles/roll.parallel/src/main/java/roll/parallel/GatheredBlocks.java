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
 * Numbers of a model whose ranks are in several processes, as they were gathered here: in blocks,
 * of which a few are kept, since files have the parameters of a layer in another order; while one
 * is read the next is on its way. Owns the memory of the blocks. From any thread.
 */
final class GatheredBlocks implements AutoCloseable {
  private static final int KEPT = 4;

  private final RankProcesses processes;
  private final ToLongFunction<Kind> numbers;
  private final long size;
  private final Arena memory = Arena.ofShared();

  /** The one that was used last comes first. */
  private final Deque<Block> blocks = new ArrayDeque<>();

  private @Nullable MemorySegment spare;

  /**
   * Nothing yet.
   *
   * @param numbers how many the model has of a kind
   */
  GatheredBlocks(RankProcesses processes, ToLongFunction<Kind> numbers) {
    this(processes, numbers, StateRange.MOST);
  }

  /** The same in blocks of {@code size} numbers. */
  GatheredBlocks(RankProcesses processes, ToLongFunction<Kind> numbers, long size) {
    this.processes = processes;
    this.numbers = numbers;
    this.size = size;
  }

  /**
   * A block that was gathered, or is being so.
   *
   * @param changes of the model before it
   */
  private record Block(
      Kind kind,
      long number,
      long changes,
      MemorySegment memory,
      RankProcesses.Answers<Boolean> answers) {}

  /** Copies numbers, the first of them number {@code first}. */
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
