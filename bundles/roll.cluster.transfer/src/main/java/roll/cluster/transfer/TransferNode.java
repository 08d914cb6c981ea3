package roll.cluster.transfer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A node's part in the transfer: it listens at one port, offers versions, pulls those of others,
 * and serves what it pulled. Can be used by all threads.
 */
public final class TransferNode implements AutoCloseable {
  private final TransferPlace place;
  private final Consumer<String> notices;
  private final VersionShelf shelf = new VersionShelf();
  private final SnapshotMemory snapshots = new SnapshotMemory();
  private final TransferServer server;

  private TransferNode(TransferPlace place, Consumer<String> notices) throws IOException {
    this.place = place;
    this.notices = notices;
    this.server = new TransferServer(place, shelf);
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
    return server.address();
  }

  /**
   * Offers a version, in place of the one of its channel before, and returns at once. Its memory is
   * the caller's and must not change until {@link Publication#released} completes. Digests are
   * computed when it is asked for.
   *
   * @param reader reads its parts, one behind the other; from several threads
   * @throws IllegalArgumentException if the channel has a newer version, or the epoch is over
   */
  Publication publish(Manifest manifest, VersionReader reader) {
    Publication made = new Publication(manifest, reader, true);
    if (shelf.offer(made, place.limits().linger())) {
      var unused = made.digests(); // soon somebody asks for them, as for those of the one before
    }
    return made;
  }

  /**
   * Offers a version in place of the one of its channel before: of a copy that is made before this
   * returns, by several threads, in native memory of this node. Each channel keeps memory for the
   * next version too, until the last is retired.
   *
   * @param bytes of the copy
   * @param reader of what is copied
   * @param served reads the version, given the copy, whenever it is sent: the same bytes each time,
   *     such as numbers that are rounded then
   * @throws IllegalArgumentException if the channel has a newer version, or the epoch is over
   */
  public Publication publishCopy(
      Manifest manifest,
      long bytes,
      VersionReader reader,
      Function<MemorySegment, VersionReader> served) {
    String channel = manifest.id().channel();
    SnapshotMemory.Snapshot snapshot = snapshots.take(channel, bytes);
    try {
      snapshot.fill(reader);
      Publication made = publish(manifest, served.apply(snapshot.memory()));
      var unused =
          made.released().thenRun(() -> snapshots.giveBack(snapshot, shelf.offers(channel)));
      return made;
    } catch (RuntimeException e) {
      snapshots.giveBack(snapshot, shelf.offers(channel));
      throw e;
    }
  }

  /**
   * Pulls a version: its manifest from {@code origin}, chunks from the first of {@code peers} that
   * gives them, and otherwise from the origin. Where a connection breaks, or somebody has nothing,
   * the next one is asked, and only for what is missing; every chunk is checked, and whoever sent a
   * wrong one is asked for nothing more. While it goes on, others can pull from here what has come.
   * If the version is replaced meanwhile and its origin has it no more, the newer one is pulled
   * instead, into memory of its own.
   *
   * @param peers other nodes that may have the version, or are pulling it too, the first to be
   *     asked first: see {@link TransferPeer#above}
   * @param memory for the manifest that came, of as many bytes as it says, that every thread may
   *     write; no chunk is received before it returns, and after this method has failed, or has
   *     asked for other memory, nothing is written any more
   * @return the version, which the caller closes before the memory changes
   * @throws IOException if nobody has the version within the limit, the origin cannot be reached or
   *     refuses, or chunks are missing that nobody gives; one line that says which
   * @throws InterruptedException if the thread was interrupted; nothing goes on
   */
  public Pulled pull(
      VersionId.Wanted wanted,
      TransferPeer origin,
      List<TransferPeer> peers,
      Function<Manifest, MemorySegment> memory)
      throws IOException, InterruptedException {
    List<TransferPeer> sources = Stream.concat(peers.stream(), Stream.of(origin)).toList();
    return new Pull(place, shelf, notices, wanted, sources, memory).run();
  }

  /** Ends everything at once: pulls fail, and whoever pulls from here asks elsewhere. */
  @Override
  public void close() {
    shelf.close();
    server.close();
    snapshots.close();
  }
}
