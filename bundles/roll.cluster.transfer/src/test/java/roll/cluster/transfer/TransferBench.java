package roll.cluster.transfer;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import roll.cluster.identity.Authority;
import roll.cluster.identity.AuthorityFile;

/**
 * Prints what a transfer reaches, beside a plain socket and a copy in memory.
 *
 * <pre>
 * loopback [GB]                        both nodes in this process, with TLS and in the clear
 * serve ADDRESS PORT tls|clear DIR MB  offers a new version every 100 ms until it is killed
 * pull ADDRESS FROM PORT tls|clear DIR TIMES
 * </pre>
 */
final class TransferBench {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int PARTS = 290;

  private TransferBench() {}

  /** See above. */
  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "loopback" -> loopback(arguments.length > 1 ? Double.parseDouble(arguments[1]) : 1);
      case "serve" -> serve(arguments);
      case "pull" -> pull(arguments);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void loopback(double gigabytes) throws Exception {
    long bytes = (long) (gigabytes * 1e9);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment from = random(arena, bytes);
      MemorySegment to = arena.allocate(bytes);
      for (int round = 0; round < 5; round++) {
        say("copy in memory", bytes, time(() -> to.copyFrom(from)));
        say("plain socket, one, nothing checked", bytes, time(() -> socket(from, to)));
        for (boolean tls : new boolean[] {false, true}) {
          pulls(tls, from, to);
        }
      }
    }
  }

  private static void pulls(boolean tls, MemorySegment from, MemorySegment to) throws Exception {
    Authority authority = Authority.create("bench");
    InetAddress loopback = InetAddress.getLoopbackAddress();
    String kind = tls ? "mutual TLS" : "in the clear";
    try (TransferNode trainer = open("trainer", loopback, 0, tls ? authority : null);
        TransferNode worker = open("worker", loopback, 0, tls ? authority : null)) {
      TransferPeer origin = new TransferPeer("trainer", trainer.address());
      for (int number = 0; number < 4; number++) {
        to.fill((byte) 0);
        Manifest manifest = manifest(number, from.byteSize());
        long begun = System.nanoTime();
        if (number == 0) {
          trainer.publish(manifest, VersionReader.of(from));
        } else {
          trainer.publishCopy(manifest, VersionReader.of(from));
        }
        double published = (System.nanoTime() - begun) / 1e9;
        VersionId.Wanted wanted = new VersionId.Wanted("actor_infer", 0, number, LIMIT);
        try (Pulled pulled = worker.pull(wanted, origin, List.of(), _ -> ChunkSink.into(to))) {
          PullReport report = pulled.report();
          double took = report.took().toNanos() / 1e9;
          System.out.printf(
              "%s, %s: pulled at %.2f GB/s, %d requests, publishing took %.4f s, %.1f %%%n",
              kind,
              number == 0 ? "read where it is" : "copy " + number,
              report.rate(),
              report.requests(),
              published,
              100 * published / took);
        }
        if (from.mismatch(to) >= 0) {
          throw new IllegalStateException("other bytes came");
        }
      }
    }
  }

  private static void serve(String[] arguments) throws Exception {
    InetAddress at = InetAddress.ofLiteral(arguments[1]);
    Authority authority = authority(arguments[3], arguments[4]);
    int port = Integer.parseInt(arguments[2]);
    try (Arena arena = Arena.ofShared();
        ServerSocketChannel plain = ServerSocketChannel.open();
        TransferNode node = open("trainer", at, port, authority)) {
      MemorySegment from = random(arena, Long.parseLong(arguments[5]) * 1_000_000);
      plain.bind(new InetSocketAddress(at, port + 1));
      Thread.ofVirtual().start(() -> send(plain, from));
      System.out.println("serves at " + node.address());
      for (int number = 0; ; number++) {
        node.publish(manifest(number, from.byteSize()), VersionReader.of(from));
        Thread.sleep(100);
      }
    }
  }

  private static void pull(String[] arguments) throws Exception {
    InetAddress at = InetAddress.ofLiteral(arguments[1]);
    InetSocketAddress from =
        new InetSocketAddress(InetAddress.ofLiteral(arguments[2]), Integer.parseInt(arguments[3]));
    Authority authority = authority(arguments[4], arguments[5]);
    try (Arena arena = Arena.ofShared();
        TransferNode node = open("worker", at, 0, authority)) {
      long next = 0;
      Map<Long, MemorySegment> memory = new HashMap<>(); // mapped once, as a node does
      for (int i = 0; i < Integer.parseInt(arguments[6]); i++) {
        try (Pulled pulled =
            node.pull(
                new VersionId.Wanted("actor_infer", 0, next, LIMIT),
                new TransferPeer("trainer", from),
                List.of(),
                manifest ->
                    ChunkSink.into(memory.computeIfAbsent(manifest.bytes(), arena::allocate)))) {
          PullReport report = pulled.report();
          next = pulled.manifest().id().number() + 1;
          System.out.printf(
              "%s: %.1f MB in %.3f s, %.4f GB/s, %.1f %% of 1 Gbit/s, %d requests, %d chunks"
                  + " again%n",
              arguments[4],
              report.bytes() / 1e6,
              report.took().toNanos() / 1e9,
              report.rate(),
              report.rate() * 800,
              report.requests(),
              report.again());
          double rate = report.bytes() / 1e9 / plain(at, from, report.bytes());
          System.out.printf(
              "plain socket, one, nothing checked: %.4f GB/s, %.1f %%%n", rate, rate * 800);
        }
      }
    }
  }

  /** Seconds in which as many bytes come over a plain socket. */
  private static double plain(InetAddress at, InetSocketAddress from, long bytes) throws Exception {
    try (Arena arena = Arena.ofShared();
        SocketChannel channel = SocketChannel.open()) {
      MemorySegment to = arena.allocate(bytes);
      channel.bind(new InetSocketAddress(at, 0));
      channel.connect(new InetSocketAddress(from.getAddress(), from.getPort() + 1));
      return time(() -> move(to, channel::read));
    }
  }

  private static @Nullable Authority authority(String kind, String folder) throws IOException {
    return kind.equals("tls")
        ? AuthorityFile.open(Path.of(folder, "authority.pem"), "bench")
        : null;
  }

  private static TransferNode open(
      String name, InetAddress at, int port, @Nullable Authority authority) throws IOException {
    TransferPlace place =
        new TransferPlace(
            "bench",
            name,
            new InetSocketAddress(at, port),
            authority == null ? null : authority.identity(name),
            authority == null,
            TransferLimits.standard());
    return TransferNode.open(place, System.out::println);
  }

  private static Manifest manifest(long number, long bytes) {
    List<TransferPart> parts = new ArrayList<>();
    for (int i = 0; i < PARTS; i++) {
      long size = bytes * (i + 1) / PARTS - bytes * i / PARTS;
      parts.add(new TransferPart("layers." + i + ".weight", "bf16", size));
    }
    return new Manifest(new VersionId("actor_infer", 0, number), parts);
  }

  private static MemorySegment random(Arena arena, long bytes) {
    MemorySegment memory = arena.allocate(bytes);
    SplittableRandom random = new SplittableRandom(1);
    for (long at = 0; at + 8 <= bytes; at += 8) {
      memory.set(JAVA_LONG_UNALIGNED, at, random.nextLong());
    }
    return memory;
  }

  /** What the machine gives without any protocol. */
  private static void socket(MemorySegment from, MemorySegment to) throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Thread.ofVirtual().start(() -> send(server, from));
      try (SocketChannel channel = SocketChannel.open(server.getLocalAddress())) {
        move(to, channel::read);
      }
    }
  }

  /** To whoever connects, until the channel is closed. */
  private static void send(ServerSocketChannel server, MemorySegment from) {
    while (server.isOpen()) {
      try (SocketChannel channel = server.accept()) {
        move(from, channel::write);
      } catch (IOException e) {
        // who asked, or the server, has closed it
      }
    }
  }

  private interface Move {
    int some(ByteBuffer bytes) throws IOException;
  }

  private static void move(MemorySegment memory, Move move) throws IOException {
    for (long at = 0; at < memory.byteSize(); ) {
      long size = Math.min(1 << 18, memory.byteSize() - at);
      at += move.some(memory.asSlice(at, size).asByteBuffer());
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private static double time(Work work) throws Exception {
    long begun = System.nanoTime();
    work.run();
    return (System.nanoTime() - begun) / 1e9;
  }

  private static void say(String what, long bytes, double seconds) {
    System.out.printf("%s: %.2f GB/s%n", what, bytes / seconds / 1e9);
  }
}
