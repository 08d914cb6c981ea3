package roll.collectives.nccl;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.collectives.nccl.CardLink.Libraries;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.GroupAbort;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;

/**
 * A rank on a card. Operations run one after another on a stream of its own, which waits for what
 * the card's default stream had to do before; calls return when the card is done. Messages go over
 * {@link OneWayLink one-way links}. Owns all of it.
 */
final class CardCommunicator implements Communicator {
  private final Libraries libraries;
  private final RankGroup group;
  private final LocalProcess site;
  private final GroupAbort ending;
  private final int rank;
  private final boolean alone;
  private final Staging staging;
  private final Map<Integer, OneWayLink> ways = new HashMap<>();
  private @Nullable CardLink link;
  private int generation;

  CardCommunicator(
      Libraries libraries, RankGroup group, LocalProcess site, GroupAbort ending, int rank) {
    this.libraries = libraries;
    this.group = group;
    this.site = site;
    this.ending = ending;
    this.rank = rank;
    this.alone = group.within(site.process());
    this.staging = new Staging(libraries.cuda());
  }

  private int card() {
    return group.members().get(rank).card();
  }

  /** The connection to the others; made by all at once where there is none. */
  CardLink link() {
    ending.check();
    renew();
    CardLink open = link;
    if (open == null) {
      open = join("", "rank " + rank, size(), rank);
      link = open;
    }
    libraries.cuda().use(card());
    return open;
  }

  /** Lets go of what belongs to a time before a reset. */
  private void renew() {
    if (generation != ending.generation()) {
      generation = ending.generation();
      closeLinks();
    }
  }

  /**
   * Joins those who say the same {@code what}.
   *
   * @param label how messages call this end of it
   */
  CardLink join(String what, String label, int size, int index) {
    byte[] own = index == 0 ? libraries.nccl().uniqueId() : new byte[0];
    String name = group.label() + what + " #" + generation;
    List<byte[]> ids =
        ending.await(() -> site.rendezvous().exchange(name, size, index, own, group.limit()));
    return new CardLink(
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
    CardLink all = link();
    staging.with(
        floats,
        Staging.Use.BOTH,
        0,
        all,
        memory ->
            all.run("all-reduce", to -> libraries.nccl().allReduce(floats(memory), memory, to)));
  }

  @Override
  public void reduceScatter(MemorySegment all, MemorySegment own) {
    require(all.byteSize() == own.byteSize() * size(), all, own);
    CardLink link = link();
    staging.with(
        all,
        Staging.Use.READ,
        0,
        link,
        in ->
            staging.with(
                own,
                Staging.Use.WRITE,
                1,
                link,
                out ->
                    link.run(
                        "reduce-scatter",
                        to -> libraries.nccl().reduceScatter(in, floats(out), to))));
  }

  @Override
  public void allGather(MemorySegment own, MemorySegment all) {
    require(all.byteSize() == own.byteSize() * size(), all, own);
    CardLink link = link();
    staging.with(
        all,
        Staging.Use.WRITE,
        0,
        link,
        out ->
            staging.with(
                own,
                Staging.Use.READ,
                1,
                link,
                in ->
                    link.run("all-gather", to -> libraries.nccl().allGather(bytes(in), out, to))));
  }

  @Override
  public void broadcast(MemorySegment bytes, int root) {
    CardLink all = link();
    staging.with(
        bytes,
        rank == root ? Staging.Use.READ : Staging.Use.WRITE,
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

  private OneWayLink way(int other, boolean sends) {
    if (Objects.checkIndex(other, size()) == rank) {
      throw new IllegalArgumentException("rank " + rank + " needs no message to itself");
    }
    ending.check();
    renew();
    libraries.cuda().use(card());
    return ways.computeIfAbsent(
        sends ? other : -1 - other,
        any -> new OneWayLink(this, libraries, ending, card(), other, sends));
  }

  private static Nccl.Buffer floats(MemorySegment memory) {
    return new Nccl.Buffer(memory, memory.byteSize() / Float.BYTES, Nccl.FLOATS);
  }

  static Nccl.Buffer bytes(MemorySegment memory) {
    return new Nccl.Buffer(memory, memory.byteSize(), Nccl.BYTES);
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
    if (!alone) {
      throw new IllegalStateException(
          group.label() + " has ranks in other processes: it is over with its first failure");
    }
    ending.reset();
  }

  private void closeLinks() {
    ways.values().forEach(OneWayLink::close);
    ways.clear();
    CardLink open = link;
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
