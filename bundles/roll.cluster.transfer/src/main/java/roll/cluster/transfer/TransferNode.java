package roll.cluster.transfer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Transfer endpoint of a node: listens at one port, publishes versions, pulls versions of other
 * nodes, and serves pulled ones. Thread-safe.
 */
public final class TransferNode implements AutoCloseable {
  private final TransferConfig config;
  private final Consumer<String> notices;
  private final VersionStore versions = new VersionStore();
  private final CopyMemoryPool snapshots = new CopyMemoryPool();
  private final TransferServer server;

  private TransferNode(TransferConfig config, Consumer<String> notices) throws IOException {
    this.config = config;
    this.notices = notices;
    this.server = new TransferServer(config, versions);
  }

  /**
   * Opens a node, which listens from now on.
   *
   * @param notices receives a line for each node that sent wrong bytes or could not be reached
   * @throws IOException if the address cannot be listened at; one line
   */
  public static TransferNode open(TransferConfig config, Consumer<String> notices)
      throws IOException {
    return new TransferNode(config, notices);
  }

  /** Returns the address of the listener. */
  public InetSocketAddress address() {
    return server.address();
  }

  /**
   * Publishes a version in place of its channel's last one, and returns at once. Its memory belongs
   * to the caller and must not change until {@link PublishedVersion#released} completes. Digests
   * are computed on demand.
   *
   * @param reader reads its bytes; called by several threads
   * @throws IllegalArgumentException if the channel has a newer version, or the epoch is over
   */
  PublishedVersion publish(VersionManifest manifest, VersionReader reader) {
    PublishedVersion made = new PublishedVersion(manifest, reader, true);
    if (versions.offer(made, config.limits().linger())) {
      var unused = made.digests(); // other nodes will need them soon, as for the version before
    }
    return made;
  }

  /**
   * Publishes a version in place of its channel's last one, of a copy that several threads make
   * before this returns, in native memory of this node. Each channel keeps memory for the next
   * version, until its last one is retired.
   *
   * @param bytes size of the copy
   * @param reader reads the data to copy
   * @param served makes a reader of the bytes to send of the copy, always the same ones, for
   *     example rounded numbers
   * @throws IllegalArgumentException if the channel has a newer version, or the epoch is over
   */
  public PublishedVersion publishCopy(
      VersionManifest manifest,
      long bytes,
      VersionReader reader,
      Function<MemorySegment, VersionReader> served) {
    String channel = manifest.id().channel();
    CopyMemoryPool.Snapshot snapshot = snapshots.take(channel, bytes);
    try {
      snapshot.fill(reader);
      PublishedVersion made = publish(manifest, served.apply(snapshot.memory()));
      var unused =
          made.released().thenRun(() -> snapshots.giveBack(snapshot, versions.offers(channel)));
      return made;
    } catch (RuntimeException e) {
      snapshots.giveBack(snapshot, versions.offers(channel));
      throw e;
    }
  }

  /**
   * Pulls a version: its manifest from {@code origin}, its chunks from the first of {@code peers}
   * that has them, and otherwise from the origin. After a failure the next source is asked for the
   * missing chunks. Each chunk is verified; a source of wrong bytes is not used any more. Other
   * nodes can pull received chunks from here meanwhile. If the origin has dropped the version for a
   * newer one, that one is pulled instead, into other memory.
   *
   * @param peers other nodes that have or pull the version, in the order in which they are asked:
   *     see {@link TransferPeer#above}
   * @param memory returns memory of the size in the manifest, which all threads can write. Nothing
   *     is written before it returns, nor after this method has failed or has asked for other
   *     memory
   * @return the version, which the caller closes before the memory changes
   * @throws IOException if no node has the version within the limit, the origin cannot be reached
   *     or refuses, or no source has a chunk; one line
   * @throws InterruptedException if the thread was interrupted; the pull has ended
   */
  public PulledVersion pull(
      VersionId.Wanted wanted,
      TransferPeer origin,
      List<TransferPeer> peers,
      Function<VersionManifest, MemorySegment> memory)
      throws IOException, InterruptedException {
    List<TransferPeer> sources = Stream.concat(peers.stream(), Stream.of(origin)).toList();
    return new VersionPull(config, versions, notices, wanted, sources, memory).run();
  }

  /** Ends everything at once: pulls fail, and nodes that pull from here use another source. */
  @Override
  public void close() {
    versions.close();
    server.close();
    snapshots.close();
  }
}
