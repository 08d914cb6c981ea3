package roll.collectives.gloo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import roll.collectives.gloo.Gloo.Symbol;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.GroupAbort;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;

/**
 * A rank connected to the others by Gloo. Gloo itself would add in an order of its own, so it only
 * transfers bytes: every rank receives its part from all others, one after another, and adds the
 * parts in the order of the ranks. The volume is that of a ring all-reduce, without copies in
 * between. Owns the connections.
 */
final class GlooCommunicator implements Communicator {
  /** Maximum number of bytes of a transfer, which is also the size of the receive buffer. */
  private static final long SLICE = 8L << 20;

  private final Gloo gloo;
  private final RankGroup group;
  private final LocalProcess site;
  private final GroupAbort ending;
  private final int rank;
  private final GlooConnection link;
  private final OrderedSum sum;
  private final Map<Integer, MessageChannel> ways = new HashMap<>();
  private Arena memory = Arena.ofShared();
  private MemorySegment buffer = MemorySegment.NULL;

  /** Connects to all other ranks, which must connect concurrently. */
  GlooCommunicator(Gloo gloo, RankGroup group, LocalProcess site, GroupAbort ending, int rank) {
    this.gloo = gloo;
    this.group = group;
    this.site = site;
    this.ending = ending;
    this.rank = rank;
    this.sum = new OrderedSum();
    this.link = join("", "rank " + rank, IntStream.range(0, group.size()).boxed().toList());
  }

  /** Connects this rank to {@code ranks}, which use the same {@code what}. */
  GlooConnection join(String what, String label, List<Integer> ranks) {
    int index = ranks.indexOf(rank);
    return new GlooConnection(
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
      add(whole, 0, whole.asSlice(rank * part, part));
      gather(whole);
    }
    if (even < floats.byteSize()) { // fewer numbers than ranks
      MemorySegment rest = floats.asSlice(even);
      try (Arena arena = Arena.ofShared()) {
        MemorySegment all = arena.allocate(rest.byteSize() * size(), Float.BYTES);
        allGather(rest, all);
        sum.of(parts(all), rest);
      }
    }
  }

  @Override
  public void reduceScatter(MemorySegment all, MemorySegment own) {
    group.checkParts(all, own);
    long step = Math.max(Float.BYTES, SLICE / size() / Float.BYTES * Float.BYTES);
    for (long at = 0; at < own.byteSize(); at += step) {
      add(all, at, own.asSlice(at, Math.min(step, own.byteSize() - at)));
    }
  }

  /** Adds this rank's part of {@code all}, from its byte {@code at} on, to the sum {@code own}. */
  private void add(MemorySegment all, long at, MemorySegment own) {
    long bytes = own.byteSize();
    MemorySegment received = buffer(bytes * (size() - 1));
    List<MemorySegment> parts = parts(all);
    MemorySegment[] terms = new MemorySegment[size()];
    terms[rank] = parts.get(rank).asSlice(at, bytes);
    for (int distance = 1; distance < size(); distance++) {
      int to = (rank + distance) % size();
      int from = (rank + size() - distance) % size();
      terms[from] = received.asSlice((distance - 1) * bytes, bytes);
      swap("an all-to-all", parts.get(to).asSlice(at, bytes), to, terms[from], from);
    }
    sum.of(List.of(terms), own);
  }

  /** Splits memory into the parts of all ranks. */
  private List<MemorySegment> parts(MemorySegment all) {
    long bytes = all.byteSize() / size();
    return IntStream.range(0, size()).mapToObj(r -> all.asSlice(r * bytes, bytes)).toList();
  }

  /** Returns reused memory, since new pages for each slice would be slower than its transfer. */
  private MemorySegment buffer(long bytes) {
    if (buffer.byteSize() < bytes) {
      memory.close();
      memory = Arena.ofShared();
      buffer = memory.allocate(bytes, 64);
    }
    return buffer.asSlice(0, bytes);
  }

  @Override
  public void allGather(MemorySegment own, MemorySegment all) {
    group.checkParts(all, own);
    MemorySegment place = all.asSlice(rank * own.byteSize(), own.byteSize());
    if (!place.equals(own)) {
      place.copyFrom(own);
    }
    gather(all);
  }

  /** Receives the parts that the other ranks have sent. */
  private void gather(MemorySegment all) {
    List<MemorySegment> parts = parts(all);
    for (int distance = 1; distance < size(); distance++) {
      int to = (rank + distance) % size();
      int from = (rank + size() - distance) % size();
      swap("an all-gather", parts.get(rank), to, parts.get(from), from);
    }
  }

  /**
   * Sends {@code out} to rank {@code to} and receives {@code in} from rank {@code from}; all ranks
   * do so concurrently, at the same distance. Gloo's own operations over all ranks would copy to
   * newly allocated memory.
   */
  private void swap(String what, MemorySegment out, int to, MemorySegment in, int from) {
    try (OperationTensors tensors = new OperationTensors()) {
      MemorySegment input = tensors.of(out);
      MemorySegment output = tensors.both(in);
      MemorySegment sent = tensors.counts(size(), to, out.byteSize());
      MemorySegment received = tensors.counts(size(), from, in.byteSize());
      MemorySegment options = tensors.options();
      link.run(
          what,
          (work, over) ->
              gloo.run(Symbol.ALL_TO_ALL, work, over, output, input, received, sent, options));
      tensors.read();
    }
  }

  @Override
  public void broadcast(MemorySegment bytes, int root) {
    broadcast(link, bytes, root);
  }

  /** Broadcasts bytes over the connection {@code over}. */
  void broadcast(GlooConnection over, MemorySegment bytes, int root) {
    try (OperationTensors tensors = new OperationTensors()) {
      MemorySegment list = tensors.list(tensors.both(bytes));
      MemorySegment options = tensors.broadcastOptions(root);
      over.run("a broadcast", (work, to) -> gloo.run(Symbol.BROADCAST, work, to, list, options));
      tensors.read();
    }
  }

  @Override
  public void barrier() {
    try (Arena arena = Arena.ofShared()) {
      gather(arena.allocate(size()));
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

  private MessageChannel way(int other, boolean sends) {
    group.checkPeer(rank, other);
    ending.check();
    return ways.computeIfAbsent(
        sends ? other : -1 - other, any -> new MessageChannel(this, ending, other, sends));
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
    if (memory.scope().isAlive()) {
      ways.values().forEach(MessageChannel::close);
      link.close();
      memory.close();
    }
  }
}
