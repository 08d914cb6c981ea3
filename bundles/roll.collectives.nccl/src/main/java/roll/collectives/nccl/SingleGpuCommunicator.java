package roll.collectives.nccl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import roll.parallel.collective.Communicator;
import roll.torch.foreign.CudaDriver;

/** The only rank of a group, on a GPU, which needs no NCCL. Owns a stream. */
final class SingleGpuCommunicator implements Communicator {
  private final CudaDriver cuda;
  private final int card;
  private final MemorySegment stream;

  SingleGpuCommunicator(CudaDriver cuda, int card) {
    this.cuda = cuda;
    this.card = card;
    cuda.use(card);
    this.stream = cuda.newStream();
  }

  @Override
  public int rank() {
    return 0;
  }

  @Override
  public int size() {
    return 1;
  }

  @Override
  public void allReduce(MemorySegment floats) {}

  @Override
  public void reduceScatter(MemorySegment all, MemorySegment own) {
    copy(all, own);
  }

  @Override
  public void allGather(MemorySegment own, MemorySegment all) {
    copy(own, all);
  }

  private void copy(MemorySegment from, MemorySegment to) {
    if (from.byteSize() != to.byteSize()) {
      throw new IllegalArgumentException(
          "memory of %d bytes does not fit one of %d".formatted(from.byteSize(), to.byteSize()));
    }
    if (from.isNative() && to.isNative() && from.address() == to.address()) {
      return;
    }
    cuda.use(card);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment source =
          from.isNative() ? from : arena.allocate(from.byteSize()).copyFrom(from);
      MemorySegment target = to.isNative() ? to : arena.allocate(to.byteSize());
      cuda.copy(source, target, stream);
      while (!cuda.done(stream)) {
        Thread.onSpinWait();
      }
      if (!to.isNative()) {
        to.copyFrom(target);
      }
    }
  }

  @Override
  public void broadcast(MemorySegment bytes, int root) {}

  @Override
  public void send(MemorySegment bytes, int to) {
    throw new IllegalArgumentException("the only rank needs no message to itself");
  }

  @Override
  public void receive(MemorySegment bytes, int from) {
    send(bytes, from);
  }

  @Override
  public void barrier() {}

  /** Does nothing, since a single rank has no other ranks that wait. */
  @Override
  public void abort(Throwable cause) {}

  @Override
  public void reset() {}

  @Override
  public void close() {
    cuda.use(card);
    cuda.closeStream(stream);
  }
}
