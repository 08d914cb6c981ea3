package roll.cluster.transfer;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A simulated node: its pull, which is the real one, and its wire. */
final class SwarmNode {
  final String name;

  /** Bytes a second, each way. */
  final double wire;

  final List<SwarmLink> links = new ArrayList<>();

  /** Connections of others that ask this node, in the order in which they are served. */
  final List<SwarmLink> asking = new ArrayList<>();

  /** Null for the origin. */
  @Nullable ChunkPool pool;

  final AtomicInteger requests = new AtomicInteger();
  final Map<Integer, Integer> received = new HashMap<>();
  boolean alive = true;
  boolean sending;
  int next;
  double downFree;
  double sent;
  double finished = -1;

  SwarmNode(String name, double wire) {
    this.name = name;
    this.wire = wire;
  }

  /** What it has, as it tells others. */
  byte[] held() {
    BitSet bits = new BitSet();
    received.keySet().forEach(bits::set);
    return bits.toByteArray();
  }

  /** Whether chunks are still to come. */
  boolean pulls() {
    return alive && finished < 0;
  }

  TransferPeer peer() {
    return new TransferPeer(name, InetSocketAddress.createUnresolved(name, 1));
  }

  /** Whether {@code link} is served, of {@code most} at once; 0 for all. */
  boolean admits(SwarmLink link, int most) {
    return most == 0
        || !link.queued.isEmpty()
        || asking.stream().filter(other -> !other.queued.isEmpty()).count() < most;
  }
}
