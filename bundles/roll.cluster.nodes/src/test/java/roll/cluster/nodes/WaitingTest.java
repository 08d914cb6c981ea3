package roll.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.cluster.ClusterEngine;
import roll.cluster.Membership;
import roll.cluster.pekko.PekkoEngine;
import roll.runtime.nodes.FirstNode;
import roll.runtime.nodes.JoinRequest;
import roll.runtime.nodes.ListenRequest;

/** A first node that starts late, is slow, or loses its membership. */
@Tag("processes")
@Timeout(120)
class WaitingTest {
  private final ClusterNodes here = new ClusterNodes(new PekkoEngine(), "0.2.0");
  private final ClusterNodes there = new ClusterNodes(new PekkoEngine(), "0.2.0");
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  @TempDir Path folder;

  @Test
  void aNodeWaitsForTheFirstNode() throws Exception {
    String token = here.prepare(folder);
    String at;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      at = "127.0.0.1:" + free.getLocalPort();
    }
    Thread worker = joining(at, token);
    String waiting = next(lines);
    assertTrue(waiting.startsWith("waiting for the run: " + at + ": "), waiting);
    try (FirstNode _ =
        here.listen(new ListenRequest("lake", folder, at, false, token), said::add)) {
      String joined = next(lines);
      assertTrue(joined.startsWith("joined the run lake as worker"), joined);
    }
    worker.join();
  }

  /** The name is reserved for the key of the node, so that it can ask again. */
  @Test
  void aLostAnswerIsRequestedAgain() throws Exception {
    try (FirstNode first =
            here.listen(new ListenRequest("lake", folder, "127.0.0.1:0", true), said::add);
        ServerSocket between = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      String[] words = first.joinLine().split(" ", -1);
      int port = Integer.parseInt(words[2].substring(words[2].indexOf(':') + 1));
      Thread.startVirtualThread(() -> losing(between, port));
      Thread worker = joining("127.0.0.1:" + between.getLocalPort(), words[4]);
      String waiting = next(lines);
      assertTrue(waiting.startsWith("waiting for the run: "), waiting);
      String joined = next(lines);
      assertTrue(joined.startsWith("joined the run lake as worker"), joined);
      worker.interrupt();
      worker.join();
    }
  }

  /** Proxies connections, and drops the first answer. */
  private static void losing(ServerSocket between, int port) {
    boolean lose = true;
    while (true) {
      try (Socket near = between.accept();
          Socket far = new Socket(InetAddress.getLoopbackAddress(), port)) {
        byte[] bytes = new byte[1 << 16];
        int asked = near.getInputStream().read(bytes);
        String head = new String(bytes, 0, asked, StandardCharsets.ISO_8859_1);
        far.getOutputStream().write(bytes, 0, asked);
        while (!head.contains("}")) { // its body
          asked = near.getInputStream().read(bytes);
          head = new String(bytes, 0, asked, StandardCharsets.ISO_8859_1);
          far.getOutputStream().write(bytes, 0, asked);
        }
        int answered = far.getInputStream().read(bytes);
        if (!lose) {
          far.setSoTimeout(1_000);
          while (answered > 0) {
            near.getOutputStream().write(bytes, 0, answered);
            answered = far.getInputStream().read(bytes);
          }
        }
        lose = false;
      } catch (IOException e) {
        if (between.isClosed()) {
          return;
        }
      }
    }
  }

  @Test
  void aFirstNodeReopensItsMembership() throws Exception {
    List<Membership> opened = new CopyOnWriteArrayList<>();
    PekkoEngine pekko = new PekkoEngine();
    ClusterEngine engine =
        (place, handlers) -> {
          Membership membership = pekko.open(place, handlers);
          opened.add(membership);
          return membership;
        };
    ClusterNodes fragile = new ClusterNodes(engine, "0.2.0");
    try (FirstNode first =
        fragile.listen(new ListenRequest("lake", folder, "127.0.0.1:0", false), said::add)) {
      opened.getFirst().close();
      String told = next(said);
      assertTrue(told.endsWith("; it is the first node, so it opens a new membership"), told);
      assertEquals("nodes can join again", next(said));
      assertEquals(2, opened.getLast().epoch());
      String[] words = first.joinLine().split(" ", -1);
      Thread worker = joining(words[2], words[4]);
      first.await(2);
      assertEquals(2, fragile.nodes().size());
      assertTrue(next(lines).startsWith("joined the run lake as worker"));
      worker.interrupt();
      worker.join();
    }
    assertTrue(opened.getLast().ended().isDone());
    assertEquals(2, opened.size());
  }

  @Test
  void theNameOfTheFirstNodeIsReserved() throws Exception {
    for (boolean plain : List.of(false, true)) {
      try (FirstNode first =
          here.listen(new ListenRequest("lake", folder, "127.0.0.1:0", plain), said::add)) {
        String[] words = first.joinLine().split(" ", -1);
        UserException refused =
            assertThrows(
                UserException.class, () -> there.join(order(words[2], words[4], "first"), _ -> {}));
        assertEquals(
            words[2]
                + " refuses this node: the run's first node has the name first: choose another"
                + " --name",
            refused.getMessage());
      }
    }
  }

  @Test
  void filesAreReadableByTheirOwnerOnly() throws Exception {
    Path own = folder.resolve("cluster");
    Files.createDirectory(own);
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (FirstNode _ =
            here.listen(new ListenRequest("lake", folder, "127.0.0.1:0", false), said::add);
        Stream<Path> files = Files.list(own)) {
      assertEquals("rwx------", mode(own));
      List<Path> all = files.sorted().toList();
      assertEquals(
          List.of("address", "authority.pem", "epoch"),
          all.stream().map(file -> file.getFileName().toString()).toList());
      for (Path file : all) {
        assertEquals("rw-------", mode(file), file::toString);
      }
    }
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private Thread joining(String at, String token) {
    return Thread.startVirtualThread(() -> join(order(at, token, "worker"), lines::add));
  }

  private void join(JoinRequest order, Consumer<String> say) {
    try {
      there.join(order, say);
    } catch (UserException e) {
      say.accept(e.getMessage());
    } catch (InterruptedException e) {
      // by the test
    }
  }

  private static JoinRequest order(String at, String token, String name) {
    return new JoinRequest(at, token, name, null, 2, List.of(), List.of());
  }

  private static String next(BlockingQueue<String> lines) throws InterruptedException {
    return String.valueOf(lines.poll(60, TimeUnit.SECONDS));
  }
}
