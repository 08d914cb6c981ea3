package roll.torch.parallel;

import ai.djl.ndarray.NDArray;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import roll.api.strategy.StateKind;
import roll.torch.Device;
import roll.torch.Ledger;
import roll.torch.collective.Communicator;

/**
 * Gathers the segments that are cut over the data-parallel ranks when they are needed, and the next
 * one while they are used. All ranks ask in the same order. Owns one buffer, or two where it
 * prefetches, and the thread that fills them.
 */
final class Gathering implements AutoCloseable {
  private static final int NONE = -1;

  private final Device device;
  private final Flat flat;
  private final List<SegmentState> states;
  private final Communicator ranks;
  private final Ledger ledger;
  private final ExecutorService thread;
  private final List<Buffer> buffers = new ArrayList<>();
  private final int[] holds;
  private final List<CompletableFuture<Boolean>> arriving = new ArrayList<>();

  /** Of the ranks {@code ranks}, of which nobody else makes use. */
  Gathering(
      Device device,
      Flat flat,
      List<SegmentState> states,
      Communicator ranks,
      boolean prefetch,
      Ledger ledger) {
    this.device = device;
    this.flat = flat;
    this.states = states;
    this.ranks = ranks;
    this.ledger = ledger;
    this.holds = new int[prefetch ? 2 : 1];
    Arrays.fill(holds, NONE);
    this.thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("roll-gather").daemon(true).factory());
  }

  /**
   * The parameters of segment {@code segment} by their index.
   *
   * @param next the segment that will be asked for next, or -1
   */
  Map<Integer, NDArray> gather(int segment, int next) {
    if (buffers.isEmpty()) {
      long size =
          states.stream()
              .map(SegmentState::segment)
              .filter(s -> !s.resident())
              .mapToLong(Segment::size)
              .max()
              .orElseThrow();
      for (int slot = 0; slot < holds.length; slot++) {
        buffers.add(new Buffer(device, flat, size, StateKind.GATHERED, ledger));
        arriving.add(CompletableFuture.completedFuture(true));
      }
    }
    int slot = slot(segment);
    if (slot == NONE) {
      slot = start(segment, 0);
    }
    await(slot);
    if (next != NONE && holds.length == 2 && slot(next) == NONE) {
      start(next, 1 - slot);
    }
    return buffers.get(slot).views(segment, states.get(segment).segment());
  }

  private int slot(int segment) {
    return IntStream.range(0, holds.length)
        .filter(slot -> holds[slot] == segment)
        .findFirst()
        .orElse(NONE);
  }

  /** Begins to fill {@code slot}; what was arriving there and was never asked for comes first. */
  private int start(int segment, int slot) {
    await(slot);
    SegmentState state = states.get(segment);
    MemorySegment all = buffers.get(slot).memory(state.segment().size());
    holds[slot] = segment;
    arriving.set(
        slot,
        CompletableFuture.supplyAsync(
            () -> {
              try (Arena arena = Arena.ofShared()) {
                ranks.allGather(state.share().map(arena), all);
              }
              return true;
            },
            thread));
    return slot;
  }

  private void await(int slot) {
    try {
      arriving.get(slot).join();
    } catch (CompletionException failure) {
      holds[slot] = NONE;
      throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
    }
  }

  /** The weights have changed: what was gathered is out of date. */
  void forget() {
    for (int slot = 0; slot < arriving.size(); slot++) {
      await(slot);
    }
    Arrays.fill(holds, NONE);
  }

  /** Frees the buffers, once nothing is under way. */
  void free() {
    arriving.forEach(future -> future.exceptionally(failure -> true).join());
    Arrays.fill(holds, NONE);
    buffers.forEach(Buffer::close);
    buffers.clear();
    arriving.clear();
  }

  @Override
  public void close() {
    free();
    thread.shutdown();
  }
}
