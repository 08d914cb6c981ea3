package roll.cluster.transfer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import roll.cluster.identity.Authority;

/** Nodes on loopback with their notices, and versions of random bytes. */
final class Nodes implements AutoCloseable {
  static final String CHANNEL = "actor_infer";
  static final Duration LIMIT = Duration.ofSeconds(10);
  static final int CHUNK = 1 << 16;

  /** Short limits for fast tests. */
  static final TransferLimits LIMITS =
      new TransferLimits(Duration.ofMillis(1500), Duration.ofMillis(600), Duration.ofSeconds(5));

  final List<String> notices = Collections.synchronizedList(new ArrayList<>());
  final Arena arena = Arena.ofShared();

  /** Memory of all pulls. */
  final List<MemorySegment> received = Collections.synchronizedList(new ArrayList<>());

  private final @Nullable Authority authority;
  private final TransferLimits limits;
  private final List<TransferNode> nodes = new ArrayList<>();

  Nodes(boolean tls) {
    this(tls, LIMITS);
  }

  Nodes(boolean tls, TransferLimits limits) {
    this.authority = tls ? Authority.create("test") : null;
    this.limits = limits;
  }

  TransferConfig config(String name) {
    InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new TransferConfig(
        "test", name, at, authority == null ? null : authority.identity(name), false, limits);
  }

  TransferNode open(String name) throws IOException {
    TransferNode node = TransferNode.open(config(name), notices::add);
    nodes.add(node);
    return node;
  }

  static TransferPeer peer(String name, TransferNode node) {
    return new TransferPeer(name, node.address());
  }

  /** Returns random bytes, the same for the same seed. */
  MemorySegment bytes(int count, long seed) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return arena.allocate(count).copyFrom(MemorySegment.ofArray(bytes));
  }

  /** Returns a manifest with parts of almost equal size. */
  static VersionManifest manifest(long number, int bytes, int parts) {
    return manifest(0, number, bytes, parts);
  }

  static VersionManifest manifest(long epoch, long number, int bytes, int parts) {
    List<TransferPart> all = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      long size = (long) bytes * (i + 1) / parts - (long) bytes * i / parts;
      all.add(new TransferPart("layer." + i + ".weight", "bf16", size));
    }
    return new VersionManifest(new VersionId(CHANNEL, epoch, number), all, CHUNK);
  }

  static VersionId.Wanted atLeast(long number) {
    return new VersionId.Wanted(CHANNEL, 0, number, LIMIT);
  }

  /** Allocates memory for a pull. */
  MemorySegment memory(VersionManifest manifest) {
    MemorySegment memory = arena.allocate(manifest.bytes());
    received.add(memory);
    return memory;
  }

  PulledVersion pull(TransferNode by, TransferNode trainer, long number, List<TransferPeer> peers) {
    try {
      return by.pull(atLeast(number), peer("trainer", trainer), peers, this::memory);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  static boolean same(MemorySegment a, MemorySegment b) {
    return a.mismatch(b) < 0;
  }

  /** Returns a copy with one wrong byte. */
  MemorySegment spoiled(MemorySegment bytes, long at) {
    MemorySegment copy = arena.allocate(bytes.byteSize()).copyFrom(bytes);
    copy.set(JAVA_BYTE, at, (byte) ~copy.get(JAVA_BYTE, at));
    return copy;
  }

  @Override
  public void close() {
    nodes.forEach(TransferNode::close);
    arena.close();
  }
}
