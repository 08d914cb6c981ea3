package roll.collectives.nccl;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.collectives.nccl.NcclConnection.Libraries;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.GroupAbort;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;

/**
 * A rank on a GPU. Operations run one after another on a stream of its own, after the earlier work
 * of the default stream; calls return when the GPU has finished. Messages use {@link
 * MessageChannel}s. Owns all connections.
 */
final class NcclCommunicator implements Communicator {
  private final Libraries libraries;
  private final RankGroup group;
  private final LocalProcess site;
  private final GroupAbort ending;
  private final int rank;
  private final boolean alone;
  private final StagingBuffers staging;
  private final Map<Integer, MessageChannel> ways = new HashMap<>();
  private @Nullable NcclConnection link;
  private int generation;

  NcclCommunicator(
      Libraries libraries, RankGroup group, LocalProcess site, GroupAbort ending, int rank) {
    this.libraries = libraries;
    this.group = group;
    this.site = site;
    this.ending = ending;
    this.rank = rank;
    this.alone = group.within(site.process());
    this.staging = new StagingBuffers(libraries.cuda());
  }

  private int card() {
    return group.members().get(rank).card();
  }

  /** Returns the connection to all ranks, which open it concurrently. */
  NcclConnection link() {
    ending.check();
    renew();
    NcclConnection open = link;
    if (open == null) {
      open = join("", "rank " + rank, size(), rank);
      link = open;
    }
    libraries.cuda().use(card());
    return open;
  }

  /** Closes the connections from before a reset. */
  private void renew() {
    if (generation != ending.generation()) {
      generation = ending.generation();
      closeLinks();
    }
  }

  /**
   * Connects this rank to the ranks that use the same {@code what}.
   *
   * @param label name of this end in messages
   */
  NcclConnection join(String what, String label, int size, int index) {
    byte[] own = index == 0 ? libraries.nccl().uniqueId() : new byte[0];
    String name = group.label() + what + " #" + generation;
    List<byte[]> ids =
        ending.await(() -> site.rendezvous().exchange(name, size, index, own, group.limit()));
    return new NcclConnection(
        libraries,
        card(),
        group.label() + ", " + label,
        group.limit(),
        ending,
        ids.getFirst(),
        size,
        index);
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
    NcclConnection all = link();
    staging.with(
        floats,
        StagingBuffers.Use.BOTH,
        0,
        all,
        memory ->
            all.run("all-reduce", to -> libraries.nccl().allReduce(floats(memory), memory, to)));
  }

  @Override
  public void reduceScatter(MemorySegment all, MemorySegment own) {
    group.checkParts(all, own);
    NcclConnection link = link();
    staging.with(
        all,
        StagingBuffers.Use.READ,
        0,
        link,
        in ->
            staging.with(
                own,
                StagingBuffers.Use.WRITE,
                1,
                link,
                out ->
                    link.run(
                        "reduce-scatter",
                        to -> libraries.nccl().reduceScatter(in, floats(out), to))));
  }

  @Override
  public void allGather(MemorySegment own, MemorySegment all) {
    group.checkParts(all, own);
    NcclConnection link = link();
    staging.with(
        all,
        StagingBuffers.Use.WRITE,
        0,
        link,
        out ->
            staging.with(
                own,
                StagingBuffers.Use.READ,
                1,
                link,
                in ->
                    link.run("all-gather", to -> libraries.nccl().allGather(bytes(in), out, to))));
  }

  @Override
  public void broadcast(MemorySegment bytes, int root) {
    NcclConnection all = link();
    staging.with(
        bytes,
        rank == root ? StagingBuffers.Use.READ : StagingBuffers.Use.WRITE,
        0,
        all,
        memory -> all.run("broadcast", to -> libraries.nccl().broadcast(bytes(memory), root, to)));
  }

  @Override
  public void barrier() {
    allReduce(MemorySegment.ofArray(new float[1]));
  }

  @Override
  public void send(MemorySegment bytes, int to) {
    way(to, true).send(bytes);
  }

  @Override
  public void receive(MemorySegment bytes, int from) {
    way(from, false).receive(bytes, staging);
  }

  private MessageChannel way(int other, boolean sends) {
    group.checkPeer(rank, other);
    ending.check();
    renew();
    libraries.cuda().use(card());
    return ways.computeIfAbsent(
        sends ? other : -1 - other,
        any -> new MessageChannel(this, libraries, ending, card(), other, sends));
  }

  private static Nccl.Buffer floats(MemorySegment memory) {
    return new Nccl.Buffer(memory, memory.byteSize() / Float.BYTES, Nccl.FLOATS);
  }

  static Nccl.Buffer bytes(MemorySegment memory) {
    return new Nccl.Buffer(memory, memory.byteSize(), Nccl.BYTES);
  }

  @Override
  public void abort(Throwable cause) {
    ending.fail(cause);
  }

  @Override
  public void reset() {
    if (!alone) {
      throw new IllegalStateException(
          group.label() + " has ranks in other processes: it is over with its first failure");
    }
    ending.reset();
  }

  private void closeLinks() {
    ways.values().forEach(MessageChannel::close);
    ways.clear();
    NcclConnection open = link;
    if (open != null) {
      open.close();
      link = null;
    }
  }

  @Override
  public void close() {
    libraries.cuda().use(card());
    closeLinks();
    staging.close();
  }
}
