package roll.collectives.testkit;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;
import roll.api.rank.CollectiveVolume;
import roll.api.rank.CollectiveVolume.Collective;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;

/**
 * Collectives that count the bytes sent by bandwidth-optimal algorithms, ignoring calls of less
 * than {@code minBytes} bytes.
 */
public final class CountingCollectives implements Collectives {
  private final Collectives inner;
  private final long minBytes;
  private final DoubleAdder sent = new DoubleAdder();

  /** Creates the counting collectives that wraps {@code inner}. */
  public CountingCollectives(Collectives inner, long minBytes) {
    this.inner = inner;
    this.minBytes = minBytes;
  }

  /** Returns the bytes that all ranks have sent since the last call. */
  public double sent() {
    return sent.sumThenReset();
  }

  @Override
  public List<Communicator> open(int size) {
    return counted(inner.open(size));
  }

  @Override
  public List<Communicator> open(RankGroup group, LocalProcess site) {
    return counted(inner.open(group, site));
  }

  private List<Communicator> counted(List<Communicator> ranks) {
    return ranks.stream().<Communicator>map(Counted::new).toList();
  }

  private final class Counted implements Communicator {
    private final Communicator rank;

    Counted(Communicator rank) {
      this.rank = rank;
    }

    private void count(Collective collective, MemorySegment whole) {
      if (whole.byteSize() >= minBytes) {
        sent.add(new CollectiveVolume(collective, size(), 1, whole.byteSize(), 1).sent());
      }
    }

    @Override
    public int rank() {
      return rank.rank();
    }

    @Override
    public int size() {
      return rank.size();
    }

    @Override
    public void allReduce(MemorySegment floats) {
      count(Collective.ALL_REDUCE, floats);
      rank.allReduce(floats);
    }

    @Override
    public void reduceScatter(MemorySegment all, MemorySegment own) {
      count(Collective.REDUCE_SCATTER, all);
      rank.reduceScatter(all, own);
    }

    @Override
    public void allGather(MemorySegment own, MemorySegment all) {
      count(Collective.ALL_GATHER, all);
      rank.allGather(own, all);
    }

    @Override
    public void broadcast(MemorySegment bytes, int root) {
      rank.broadcast(bytes, root);
    }

    @Override
    public void send(MemorySegment bytes, int to) {
      count(Collective.SEND, bytes);
      rank.send(bytes, to);
    }

    @Override
    public void receive(MemorySegment bytes, int from) {
      rank.receive(bytes, from);
    }

    @Override
    public void barrier() {
      rank.barrier();
    }

    @Override
    public void abort(Throwable cause) {
      rank.abort(cause);
    }

    @Override
    public void reset() {
      rank.reset();
    }

    @Override
    public void close() {
      rank.close();
    }
  }
}
