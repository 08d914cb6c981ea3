package roll.collectives.gloo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import roll.torch.collective.Communicator;
import roll.torch.collective.GroupEnding;
import roll.torch.collective.RankGroup;
import roll.torch.collective.RankSite;

/**
 * A rank that reaches the others over connections. Gloo adds in an order of its own, so here it
 * only moves bytes: every rank hears from all others what they have of its part, and adds that up
 * in the order of the ranks. What moves is as much as in a ring. Owns the connections.
 */
final class GlooCommunicator implements Communicator {
  /** Bytes that are moved at once at most: as much is needed beside what is added up. */
  private static final long SLICE = 8L << 20;

  private static final int HEARD = 0;
  private static final int PACKED = 1;

  private final Gloo gloo;
  private final RankGroup group;
  private final RankSite site;
  private final GroupEnding ending;
  private final int rank;
  private final GlooLink link;
  private final RankSum sum;
  private final Map<Integer, MemorySegment> rooms = new HashMap<>();
  private final Map<Integer, OneWay> ways = new HashMap<>();

  /** Connects to all others; they must do so at the same time. */
  GlooCommunicator(Gloo gloo, RankGroup group, RankSite site, GroupEnding ending, int rank) {
    this.gloo = gloo;
    this.group = group;
    this.site = site;
    this.ending = ending;
    this.rank = rank;
    this.sum = new RankSum(group.size());
    this.link = join("", "rank " + rank, IntStream.range(0, group.size()).boxed().toList());
  }

  /** Joins {@code ranks}, who say the same {@code what}. */
  GlooLink join(String what, String label, List<Integer> ranks) {
    int index = ranks.indexOf(rank);
    return new GlooLink(
        gloo,
        ending,
        group.label() + ", " + label,
        group.limit(),
        ranks.stream().map(this::host).toList(),
        ranks,
        index,
        own ->
            site.rendezvous()
                .exchange(group.label() + what, ranks.size(), index, own, group.limit()));
  }

  private String host(int other) {
    String address = group.members().get(other).address();
    return address.isEmpty() ? "127.0.0.1" : address;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return group.size();
  }

  @Override
  public void allReduce(MemorySegment floats) {
    long step = SLICE / Float.BYTES / size() * size() * Float.BYTES;
    for (long at = 0; at < floats.byteSize(); at += step) {
      allReduceSlice(floats.asSlice(at, Math.min(step, floats.byteSize() - at)));
    }
  }

  private void allReduceSlice(MemorySegment floats) {
    long count = floats.byteSize() / Float.BYTES;
    long even = count / size() * size() * Float.BYTES;
    if (even > 0) {
      MemorySegment whole = floats.asSlice(0, even);
      long part = even / size();
      MemorySegment own = whole.asSlice(rank * part, part);
      reduceScatterSlice(whole, own);
      gather(own, whole);
    }
    if (even < floats.byteSize()) { // fewer numbers than ranks
      MemorySegment rest = floats.asSlice(even);
      try (Arena arena = Arena.ofShared()) {
        MemorySegment all = arena.allocate(rest.byteSize() * size(), Float.BYTES);
        gather(rest, all);
        sum.of(all, rest);
      }
    }
  }

  @Override
  public void reduceScatter(MemorySegment all, MemorySegment own) {
    require(all.byteSize() == own.byteSize() * size(), all, own);
    long bytes = own.byteSize();
    long step = Math.max(Float.BYTES, SLICE / size() / Float.BYTES * Float.BYTES);
    if (bytes <= step) {
      reduceScatterSlice(all, own);
      return;
    }
    for (long at = 0; at < bytes; at += step) {
      long part = Math.min(step, bytes - at);
      MemorySegment packed = room(PACKED, part * size());
      for (int r = 0; r < size(); r++) {
        MemorySegment.copy(all, r * bytes + at, packed, r * part, part);
      }
      reduceScatterSlice(packed, own.asSlice(at, part));
    }
  }

  private void reduceScatterSlice(MemorySegment all, MemorySegment own) {
    MemorySegment heard = room(HEARD, all.byteSize());
    exchange(all, heard);
    sum.of(heard, own);
  }

  /** Memory that is kept for the next time; new pages for each slice would take longer than it. */
  private MemorySegment room(int use, long bytes) {
    MemorySegment kept = rooms.get(use);
    if (kept == null || kept.byteSize() < bytes) {
      kept = Arena.ofAuto().allocate(bytes, 64);
      rooms.put(use, kept);
    }
    return kept.asSlice(0, bytes);
  }

  /** Part r of {@code out} becomes what rank r has of this rank's part. */
  private void exchange(MemorySegment all, MemorySegment out) {
    try (Tensors tensors = new Tensors(gloo)) {
      MemorySegment input = tensors.of(all);
      MemorySegment output = tensors.both(out);
      MemorySegment even = tensors.zeros(24);
      MemorySegment options = tensors.options();
      link.run(
          "an all-to-all",
          (work, to) -> gloo.allToAll.invoke(work, to, output, input, even, even, options));
      tensors.read();
    }
  }

  @Override
  public void allGather(MemorySegment own, MemorySegment all) {
    require(all.byteSize() == own.byteSize() * size(), all, own);
    gather(own, all);
  }

  private void gather(MemorySegment own, MemorySegment all) {
    try (Tensors tensors = new Tensors(gloo)) {
      MemorySegment input = tensors.of(own);
      MemorySegment output = tensors.both(all);
      MemorySegment options = tensors.options();
      link.run(
          "an all-gather", (work, to) -> gloo.allGather.invoke(work, to, output, input, options));
      tensors.read();
    }
  }

  @Override
  public void broadcast(MemorySegment bytes, int root) {
    broadcast(link, bytes, root);
  }

  /** Over {@code over}, whose rank {@code root} has them. */
  void broadcast(GlooLink over, MemorySegment bytes, int root) {
    try (Tensors tensors = new Tensors(gloo)) {
      MemorySegment list = tensors.list(tensors.both(bytes));
      MemorySegment options = tensors.broadcastOptions(root);
      over.run("a broadcast", (work, to) -> gloo.broadcast.invoke(work, to, list, options));
      tensors.read();
    }
  }

  @Override
  public void barrier() {
    try (Arena arena = Arena.ofShared()) {
      gather(arena.allocate(1), arena.allocate(size()));
    }
  }

  @Override
  public void send(MemorySegment bytes, int to) {
    way(to, true).send(bytes);
  }

  @Override
  public void receive(MemorySegment bytes, int from) {
    way(from, false).receive(bytes);
  }

  private OneWay way(int other, boolean sends) {
    if (Objects.checkIndex(other, size()) == rank) {
      throw new IllegalArgumentException("rank " + rank + " needs no message to itself");
    }
    ending.check();
    return ways.computeIfAbsent(
        sends ? other : -1 - other, any -> new OneWay(this, ending, other, sends));
  }

  private static void require(boolean fits, MemorySegment one, MemorySegment other) {
    if (!fits) {
      throw new IllegalArgumentException(
          "memory of %d bytes does not fit one of %d".formatted(one.byteSize(), other.byteSize()));
    }
  }

  @Override
  public void abort(Throwable cause) {
    ending.fail(cause);
  }

  @Override
  public void reset() {
    throw new IllegalStateException(
        group.label() + " has ranks in other processes: it is over with its first failure");
  }

  @Override
  public void close() {
    ways.values().forEach(OneWay::close);
    link.close();
  }
}
