package roll.cluster.bundles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.cluster.Registration;
import roll.cluster.services.FileDigests;
import roll.cluster.services.FileOffer;
import roll.cluster.services.RemoteContract;

/** Bundles that come to other nodes, with real frameworks and membership. */
@Tag("processes")
@Timeout(180)
class FollowedBundlesTest {
  private final Path folder;
  private final byte[] large = new byte[(8 << 20) + 12_345];

  FollowedBundlesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeEach
  void fill() {
    new Random(1).nextBytes(large);
  }

  private Path cache() {
    return folder.resolve("cache");
  }

  private List<String> cached() throws Exception {
    try (Stream<Path> files = Files.list(cache())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private Path jar(String file, String version, byte[] content) throws Exception {
    return BundleNode.jar(folder.resolve(file), "maze", version, content);
  }

  @Test
  void aNodeHasWhatTheFirstOneHas() throws Exception {
    try (BundleNode first = new BundleNode(folder, "first", 0);
        BundleNode second = new BundleNode(folder, "second", first.membership.self().port())) {
      Path maze = jar("maze-1.jar", "1.0.0", large);
      first.deployer.host(maze, first.lines::add);
      BundleServer server = first.serve();
      BundleFollower follower = second.follow(cache());
      BundleNode.await(() -> second.active().equals(first.active()));
      assertEquals(List.of(new FileDigests().of(maze) + ".jar"), cached());
      BundleNode.await(() -> second.lines.size() == 1);
      assertEquals("fetched maze 1.0.0 (8,403 kB)", second.lines.getFirst());

      Path other = jar("maze-2.jar", "1.0.0", new byte[] {7});
      first.deployer.dismiss(maze, first.lines::add);
      BundleNode.await(() -> second.active().isEmpty());
      first.deployer.host(other, first.lines::add);
      BundleNode.await(() -> second.active().equals(first.active()) && !first.active().isEmpty());

      first.deployer.bundle(other).stop();
      BundleNode.await(() -> second.active().isEmpty());
      first.deployer.bundle(other).start();
      BundleNode.await(() -> second.active().equals(first.active()));
      follower.deactivate();
      assertEquals(List.of(), second.active());
      server.deactivate();
    }
  }

  @Test
  void whatANodeHasOfItsOwnStays() throws Exception {
    try (BundleNode first = new BundleNode(folder, "first", 0);
        BundleNode second = new BundleNode(folder, "second", first.membership.self().port())) {
      first.deployer.host(jar("a.jar", "1.0.0", new byte[] {1}), first.lines::add);
      first.deployer.host(
          BundleNode.jar(folder.resolve("b.jar"), "lake", "2.0.0", new byte[] {2}),
          first.lines::add);
      first.deployer.host(
          BundleNode.jar(folder.resolve("c.jar"), "hill", "1.0.0", new byte[] {3}),
          first.lines::add);
      second.deployer.host(jar("own.jar", "1.0.0", new byte[] {9}), second.lines::add);
      second.deployer.host(
          BundleNode.jar(folder.resolve("own-b.jar"), "lake", "1.0.0", new byte[] {2}),
          second.lines::add);
      second.deployer.host(
          BundleNode.jar(folder.resolve("own-c.jar"), "hill", "1.0.0", new byte[] {3}),
          second.lines::add);
      List<String> before = second.active();
      BundleServer server = first.serve();
      BundleFollower follower = second.follow(cache());
      BundleNode.await(() -> second.lines.size() == 2);
      assertTrue(
          second.lines.stream()
              .anyMatch(l -> l.startsWith("this node keeps its own bundle maze 1")),
          second.lines.toString());
      assertTrue(
          second.lines.stream()
              .anyMatch(
                  l ->
                      l.startsWith("fetched lake 2.0.0")
                          && l.endsWith("beside this node's own 1.0.0")),
          second.lines.toString());
      assertTrue(second.active().containsAll(before));
      follower.deactivate();
      assertEquals(before, second.active());
      server.deactivate();
    }
  }

  @Test
  void evilTransfersAreRefused() throws Exception {
    byte[] jar = Files.readAllBytes(jar("maze-1.jar", "1.0.0", large));
    byte[] turned = jar.clone();
    turned[jar.length - 1] ^= 1;
    refused(jar, turned, turned.length, "does not match its SHA-256");
    refused(jar, Arrays.copyOf(jar, jar.length - 1), jar.length, "came");
    refused(jar, Arrays.copyOf(jar, jar.length + 1), jar.length, "came");
    refused(jar, new byte[0], jar.length, "came");
  }

  /** Sends {@code sent} in place of {@code jar} and expects a refusal. */
  private void refused(byte[] jar, byte[] sent, long said, String why) throws Exception {
    Path file = folder.resolve("said.jar");
    Files.write(file, jar);
    String digest = new FileDigests().of(file);
    BundleOffer offer =
        new BundleOffer("maze", "1.0.0", new FileOffer("said.jar", said, digest), true);
    try (BundleNode first = new BundleNode(folder, "first", 0);
        BundleNode second = new BundleNode(folder, "second", first.membership.self().port());
        Registration _ =
            BundleSource.CONTRACT.serve(
                first.membership, _ -> _ -> CompletableFuture.completedFuture(List.of(offer)));
        Registration _ = JARS.serve(first.membership, _ -> new EvilSource(sent, jar.length))) {
      BundleFollower follower = second.follow(cache());
      BundleNode.await(() -> second.lines.size() == 1);
      String line = second.lines.getFirst();
      assertTrue(line.startsWith("bundle maze 1.0.0 of first is refused: "), line);
      assertTrue(line.contains(why), line);
      assertEquals(List.of(), second.active());
      assertEquals(List.of(), cached());
      assertTrue(second.membership.members().size() == 2, "the run continues");
      follower.deactivate();
    }
  }

  private static final RemoteContract<Source> JARS =
      new RemoteContract<>(BundleSource.TOPICS, Source.class);

  /** Messages of {@code FileTransfer}. */
  interface Source {
    CompletableFuture<byte[]> read(String digest, long first);
  }

  /** Sends other bytes than those of the offer. */
  private record EvilSource(byte[] sent, int right) implements Source {
    private static final int PART = 4 << 20;

    @Override
    public CompletableFuture<byte[]> read(String digest, long first) {
      int at = (int) first;
      int most = Math.min(sent.length - at, PART + 1);
      int size = sent.length > right ? most : Math.min(most, PART);
      return CompletableFuture.completedFuture(
          Arrays.copyOfRange(sent, at, at + Math.max(0, size)));
    }
  }
}
