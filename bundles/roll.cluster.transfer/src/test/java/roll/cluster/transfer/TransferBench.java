package roll.cluster.transfer;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import roll.cluster.identity.Authority;

/**
 * Prints how long a version takes to reach nodes, all in this process, over mutual TLS, and how
 * many copies the origin sends: {@code [MB [nodes]]}.
 */
final class TransferBench {
  private static final int ROUNDS = 5;

  private TransferBench() {}

  /** See above. */
  public static void main(String[] arguments) throws Exception {
    long bytes = 1_000_000 * (arguments.length > 0 ? Long.parseLong(arguments[0]) : 1000);
    int count = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1;
    Authority authority = Authority.create("bench");
    try (Arena arena = Arena.ofShared();
        TransferNode origin = open("origin", authority)) {
      MemorySegment from = random(arena, bytes);
      List<TransferNode> nodes = new ArrayList<>();
      List<MemorySegment> memory = new ArrayList<>();
      List<TransferPeer> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        nodes.add(open("node-" + i, authority));
        memory.add(arena.allocate(bytes));
        all.add(new TransferPeer("node-" + i, nodes.get(i).address()));
      }
      TransferPeer first = new TransferPeer("origin", origin.address());
      for (int number = 0; number < ROUNDS; number++) {
        VersionId id = new VersionId("bench", 0, number);
        VersionManifest manifest =
            new VersionManifest(id, List.of(new TransferPart("all", "f32", bytes)));
        long begun = System.nanoTime();
        origin.publishCopy(manifest, bytes, VersionReader.of(from), VersionReader::of);
        double copied = (System.nanoTime() - begun) / 1e9;
        begun = System.nanoTime();
        List<CompletableFuture<PulledVersion>> pulls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          TransferNode node = nodes.get(i);
          MemorySegment to = memory.get(i);
          List<TransferPeer> above = TransferPeer.above(all, all.get(i));
          pulls.add(
              CompletableFuture.supplyAsync(
                  () -> pull(node, id, first, above, to), Thread::startVirtualThread));
        }
        long sent = 0;
        for (CompletableFuture<PulledVersion> pull : pulls) {
          sent += pull.get().report().bytesFrom().getOrDefault("origin", 0L);
        }
        double took = (System.nanoTime() - begun) / 1e9;
        System.out.printf(
            "%d nodes have %d MB after %.3f s, the origin sent %.2f copies, copying took %.3f s%n",
            count, bytes / 1_000_000, took, sent / (double) bytes, copied);
        for (CompletableFuture<PulledVersion> pull : pulls) {
          pull.get().close();
        }
        if (memory.stream().anyMatch(to -> from.mismatch(to) >= 0)) {
          throw new IllegalStateException("other bytes came");
        }
      }
      nodes.forEach(TransferNode::close);
    }
  }

  private static PulledVersion pull(
      TransferNode node,
      VersionId id,
      TransferPeer origin,
      List<TransferPeer> above,
      MemorySegment to) {
    VersionId.Wanted wanted =
        new VersionId.Wanted(id.channel(), id.epoch(), id.number(), Duration.ofSeconds(20));
    try {
      return node.pull(wanted, origin, above, _ -> to);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TransferNode open(String name, Authority authority) throws IOException {
    return TransferNode.open(
        new TransferConfig(
            "bench",
            name,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            authority.identity(name),
            false,
            TransferLimits.standard()),
        System.out::println);
  }

  private static MemorySegment random(Arena arena, long bytes) {
    MemorySegment memory = arena.allocate(bytes);
    SplittableRandom random = new SplittableRandom(1);
    for (long at = 0; at + 8 <= bytes; at += 8) {
      memory.set(JAVA_LONG_UNALIGNED, at, random.nextLong());
    }
    return memory;
  }
}
