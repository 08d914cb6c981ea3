package roll.parallel.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The communicator of a rank that is a thread. Every rank reduces its own part for all ranks,
 * directly from their memory.
 */
final class ThreadCommunicator implements Communicator {
  /** Number of floats added at once: three arrays of them fit into the processor's L1 cache. */
  private static final int TILE = 2048;

  private final ThreadExchange meeting;
  private final int rank;
  private final float[] sum = new float[TILE];
  private final float[] term = new float[TILE];

  ThreadCommunicator(ThreadExchange meeting, int rank) {
    this.meeting = meeting;
    this.rank = rank;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return meeting.ranks();
  }

  @Override
  public void allReduce(MemorySegment floats) {
    if (size() == 1) {
      return;
    }
    meeting.show(rank, floats);
    long count = floats.byteSize() / Float.BYTES;
    long from = count * rank / size();
    long to = count * (rank + 1) / size();
    for (long at = from; at < to; at += TILE) {
      int n = (int) Math.min(TILE, to - at);
      add(at, n);
      for (int r = 0; r < size(); r++) {
        write(meeting.shown(r), at, n);
      }
    }
    meeting.await();
  }

  @Override
  public void reduceScatter(MemorySegment all, MemorySegment own) {
    RankGroup.checkSizes(all.byteSize() == own.byteSize() * size(), all, own);
    meeting.show(rank, all);
    long count = own.byteSize() / Float.BYTES;
    for (long at = 0; at < count; at += TILE) {
      int n = (int) Math.min(TILE, count - at);
      add(rank * count + at, n);
      write(own, at, n);
    }
    meeting.await();
  }

  @Override
  public void allGather(MemorySegment own, MemorySegment all) {
    RankGroup.checkSizes(all.byteSize() == own.byteSize() * size(), all, own);
    meeting.show(rank, own);
    long bytes = own.byteSize();
    for (int r = 0; r < size(); r++) {
      MemorySegment part = meeting.shown(r);
      long to = r * bytes;
      if (part.address() != all.address() + to) {
        MemorySegment.copy(part, 0, all, to, bytes);
      }
    }
    meeting.await();
  }

  @Override
  public void broadcast(MemorySegment bytes, int root) {
    meeting.show(rank, bytes);
    if (rank != root) {
      bytes.copyFrom(meeting.shown(root));
    }
    meeting.await();
  }

  @Override
  public void send(MemorySegment bytes, int to) {
    meeting.leave(rank, to, bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  @Override
  public void receive(MemorySegment bytes, int from) {
    byte[] message = meeting.take(from, rank);
    MemorySegment sent = MemorySegment.ofArray(message);
    RankGroup.checkSizes(sent.byteSize() == bytes.byteSize(), sent, bytes);
    bytes.copyFrom(sent);
  }

  @Override
  public void barrier() {
    meeting.await();
  }

  @Override
  public void abort(Throwable cause) {
    meeting.abort(cause);
  }

  @Override
  public void reset() {
    meeting.reset();
  }

  /** Adds {@code n} floats from {@code at} on of the memory of all ranks, in their order. */
  private void add(long at, int n) {
    read(meeting.shown(0), at, n, sum);
    for (int r = 1; r < size(); r++) {
      read(meeting.shown(r), at, n, term);
      for (int i = 0; i < n; i++) {
        sum[i] += term[i];
      }
    }
  }

  private static void read(MemorySegment from, long at, int n, float[] to) {
    MemorySegment.copy(from, ValueLayout.JAVA_FLOAT, at * Float.BYTES, to, 0, n);
  }

  private void write(MemorySegment to, long at, int n) {
    MemorySegment.copy(sum, 0, to, ValueLayout.JAVA_FLOAT, at * Float.BYTES, n);
  }

  /** Does nothing, since threads share no resources to free. */
  @Override
  public void close() {}
}
