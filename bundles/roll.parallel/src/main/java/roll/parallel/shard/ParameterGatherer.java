package roll.parallel.shard;

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
import org.jspecify.annotations.Nullable;
import roll.api.memory.MemoryKind;
import roll.parallel.collective.Communicator;
import roll.torch.Device;
import roll.torch.MemoryLedger;

/**
 * Gathers the segments that are sharded over the data-parallel ranks into two buffers: the current
 * one, and the next one during computation; in the backward pass the other buffer accumulates
 * gradients. All ranks gather in the same order. Owns the buffers and the thread that fills them.
 */
final class ParameterGatherer implements AutoCloseable {
  private static final int NONE = -1;

  private final Device device;
  private final FlatTensors flat;
  private final List<SegmentState> states;
  private final Communicator ranks;
  private final boolean prefetch;
  private final MemoryLedger ledger;
  private final ExecutorService thread;
  private final @Nullable SegmentBuffer[] buffers = new SegmentBuffer[2];
  private final int[] holds = {NONE, NONE};
  private final List<CompletableFuture<Boolean>> arriving = new ArrayList<>();
  private int current = NONE;
  private int lent = NONE;

  /** Creates the gatherer over {@code ranks}, for its exclusive use. */
  ParameterGatherer(
      Device device,
      FlatTensors flat,
      List<SegmentState> states,
      Communicator ranks,
      boolean prefetch,
      MemoryLedger ledger) {
    this.device = device;
    this.flat = flat;
    this.states = states;
    this.ranks = ranks;
    this.prefetch = prefetch;
    this.ledger = ledger;
    this.thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("roll-gather").daemon(true).factory());
    for (int slot = 0; slot < buffers.length; slot++) {
      arriving.add(CompletableFuture.completedFuture(true));
    }
  }

  /** Returns whether {@code segment} uses a buffer. */
  private static boolean passes(SegmentState segment) {
    return !segment.segment().resident() || segment.scatters();
  }

  private SegmentBuffer buffer(int slot) {
    SegmentBuffer buffer = buffers[slot];
    if (buffer == null) {
      long size =
          states.stream()
              .filter(ParameterGatherer::passes)
              .mapToLong(state -> state.segment().size())
              .max()
              .orElseThrow();
      buffer = new SegmentBuffer(device, flat, size, MemoryKind.GATHERED, ledger);
      buffers[slot] = buffer;
    }
    return buffer;
  }

  /**
   * Returns the parameters of segment {@code segment} by index, valid until the next call.
   *
   * @param next the segment to prefetch, or -1
   */
  Map<Integer, NDArray> gather(int segment, int next) {
    int slot = slot(segment);
    if (slot == NONE) {
      slot = lent == 0 || (lent == NONE && current == 0 && prefetch) ? 1 : 0;
      start(segment, slot);
    }
    await(slot);
    current = slot;
    if (prefetch && next != NONE && lent == NONE && slot(next) == NONE) {
      start(next, 1 - slot);
    }
    return buffer(slot).views(segment, states.get(segment).segment());
  }

  private int slot(int segment) {
    return holds[0] == segment ? 0 : holds[1] == segment ? 1 : NONE;
  }

  private void start(int segment, int slot) {
    await(slot);
    SegmentState state = states.get(segment);
    MemorySegment all = buffer(slot).memory(state.segment().size());
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
  }

  private void await(int slot) {
    try {
      arriving.get(slot).join();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
    }
  }

  /** Lends the buffer without the current segment, until {@link #giveBack}. */
  SegmentBuffer lend() {
    if (lent != NONE) {
      throw new IllegalStateException("the other buffer is lent already");
    }
    int slot = current == 0 ? 1 : 0;
    await(slot);
    holds[slot] = NONE;
    lent = slot;
    return buffer(slot);
  }

  /** Takes back the buffer that was lent for gathered parameters. */
  void giveBack() {
    lent = NONE;
  }

  /** Invalidates gathered segments after the weights have changed. */
  void forget() {
    await(0);
    await(1);
    Arrays.fill(holds, NONE);
    current = NONE;
  }

  /** Frees the buffers after gathering in progress. */
  void free() {
    for (int slot = 0; slot < buffers.length; slot++) {
      arriving.get(slot).exceptionally(failure -> true).join();
      arriving.set(slot, CompletableFuture.completedFuture(true));
      SegmentBuffer buffer = buffers[slot];
      if (buffer != null) {
        buffer.close();
        buffers[slot] = null;
      }
    }
    Arrays.fill(holds, NONE);
    current = NONE;
    lent = NONE;
  }

  @Override
  public void close() {
    free();
    thread.shutdown();
  }
}
