package roll.cluster.transfer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import roll.cluster.transfer.memory.SnapshotMemory;
import roll.cluster.transfer.memory.SnapshotMemory.Snapshot;
import roll.cluster.transfer.wire.Deadlines;
import roll.cluster.transfer.wire.Sockets;

/**
 * A node's part in the transfer: it listens at one port, offers versions, pulls those of others,
 * and serves what it pulled. Can be used by all threads.
 */
public final class TransferNode implements AutoCloseable {
  private final TransferPlace place;
  private final Consumer<String> notices;
  private final VersionShelf shelf = new VersionShelf();
  private final SnapshotMemory snapshots = new SnapshotMemory();
  private final DigestThreads digests;
  private final Deadlines deadlines;
  private final Sockets sockets;
  private final TransferListener listener;

  private TransferNode(TransferPlace place, Consumer<String> notices) throws IOException {
    this.place = place;
    this.notices = notices;
    this.digests = new DigestThreads("roll-transfer-digests-" + place.node());
    this.deadlines = new Deadlines("roll-transfer-deadlines-" + place.node(), shelf::tick);
    this.sockets = new Sockets(place.at().getAddress(), place.identity(), deadlines);
    try {
      this.listener = new TransferListener(place, sockets, shelf, digests);
    } catch (IOException e) {
      deadlines.close();
      digests.close();
      throw e;
    }
  }

  /**
   * Begins to listen.
   *
   * @param notices is told, in one line each, of nodes that sent wrong bytes or could not be
   *     reached
   * @throws IOException if the address cannot be listened at; one line that says why
   */
  public static TransferNode open(TransferPlace place, Consumer<String> notices)
      throws IOException {
    return new TransferNode(place, notices);
  }

  /** Where it listens, with its port. */
  public InetSocketAddress address() {
    return listener.address();
  }

  /** The epoch of the run, as far as this node knows. */
  public long epoch() {
    return shelf.epoch();
  }

  /** Begins an epoch, unless it has begun: versions of older ones are retired and refused. */
  public void epoch(long epoch) {
    shelf.raise(epoch);
  }

  /**
   * Offers a version, in place of the one of its channel before, and returns at once. Its memory is
   * the caller's and must not change until {@link Publication#released} completes. Digests are
   * computed when it is asked for.
   *
   * @param reader reads its parts, one behind the other; from several threads
   * @throws IllegalArgumentException if the channel has a newer version, or the epoch is over
   */
  public Publication publish(Manifest manifest, VersionReader reader) {
    return publish(manifest, reader, () -> {});
  }

  private Publication publish(Manifest manifest, VersionReader reader, Runnable atEnd) {
    HeldVersion held = HeldVersion.whole(manifest, reader, atEnd);
    shelf.offer(held, place.limits().linger());
    return new Publication(held, shelf);
  }

  /**
   * Offers a copy of a version, made before this returns by several threads, in native memory of
   * this node. Each channel keeps memory for the next version too, from its first one until the
   * last is retired.
   *
   * @throws IllegalArgumentException if the channel has a newer version, or the epoch is over
   */
  public Publication publishCopy(Manifest manifest, VersionReader reader) {
    return publishCopy(manifest, manifest.bytes(), reader, VersionReader::of);
  }

  /**
   * The same with a copy of something else, of which the version is made whenever it is read, such
   * as numbers that are rounded then.
   *
   * @param bytes of the copy
   * @param served reads the version, given the copy; the same bytes each time
   */
  public Publication publishCopy(
      Manifest manifest,
      long bytes,
      VersionReader reader,
      Function<MemorySegment, VersionReader> served) {
    String channel = manifest.id().channel();
    Snapshot snapshot = snapshots.take(channel, bytes);
    try {
      VersionCopy.run(reader, snapshot.memory());
      Publication made =
          publish(
              manifest,
              served.apply(snapshot.memory()),
              () -> snapshots.giveBack(snapshot, shelf.offers(channel)));
      snapshots.prepare(snapshot);
      return made;
    } catch (RuntimeException e) {
      snapshots.giveBack(snapshot, shelf.offers(channel));
      throw e;
    }
  }

  /**
   * Pulls a version: its manifest from {@code origin}, chunks from peers that have them and
   * otherwise from the origin, over several connections. Broken connections are made again and only
   * what is missing is asked for again; every chunk is checked, and one that is wrong is asked for
   * elsewhere. While it goes on, others can pull from here what has come, if the sink can be read.
   * If the version is replaced meanwhile and its origin has it no more, the newer one is pulled
   * instead, into a sink of its own.
   *
   * @param peers other nodes that may have the version, or are pulling it too
   * @param sinks a sink for the manifest that came; no chunk is received before it returns, and
   *     after this method has failed, or has asked for another sink, nothing is written any more
   * @return the version, which the caller closes before the sink's memory changes
   * @throws IOException if nobody has the version within the limit, the origin cannot be reached or
   *     refuses, or chunks are missing that nobody gives; one line that says which
   * @throws InterruptedException if the thread was interrupted; nothing goes on
   */
  public Pulled pull(
      VersionId.Wanted wanted,
      TransferPeer origin,
      List<TransferPeer> peers,
      Function<Manifest, ChunkSink> sinks)
      throws IOException, InterruptedException {
    shelf.raise(wanted.epoch());
    if (wanted.epoch() < shelf.epoch()) {
      throw new IOException(
          "this node is in epoch " + shelf.epoch() + " and pulls nothing of " + wanted.epoch());
    }
    return new Pull(place, sockets, shelf, notices, wanted, origin, peers, sinks).run();
  }

  /** Ends everything at once: pulls fail, and whoever pulls from here asks elsewhere. */
  @Override
  public void close() {
    listener.close();
    shelf.clear();
    deadlines.close();
    digests.close();
    listener.join();
    snapshots.close();
  }
}
