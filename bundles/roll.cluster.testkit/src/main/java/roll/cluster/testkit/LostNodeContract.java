package roll.cluster.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.cluster.ClusterEngine;
import roll.cluster.Member;
import roll.cluster.MemberEvent;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.NodeLostException;
import roll.cluster.identity.Authority;
import roll.cluster.identity.AuthorityFile;

/**
 * Contract of a cluster engine for nodes that are killed, stopped or cut off. An engine's test
 * extends it.
 */
@Timeout(180)
public abstract class LostNodeContract {
  private static final Duration LONG = Duration.ofMinutes(5);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  /** The engine under test, which has a constructor without parameters. */
  protected abstract ClusterEngine engine();

  @Test
  void aKilledNodeIsGoneAndItsCallsFail() throws Exception {
    try (Membership first = first("127.0.0.1");
        NodeProcess node = node(List.of(), "127.0.0.1", first)) {
      node.await("up", 30);
      BlockingQueue<MemberEvent> events = events(first);
      Member killed = next(MemberEvent.Joined.class, events).member();
      CompletableFuture<byte[]> open = first.call(killed, "never", new byte[0], LONG);
      long start = System.nanoTime();
      node.signal("KILL");
      assertEquals(killed, next(MemberEvent.Unreachable.class, events).member());
      long noticed = System.nanoTime();
      assertEquals(new MemberEvent.Removed(killed, true), next(MemberEvent.Removed.class, events));
      long gone = System.nanoTime();
      assertLost(killed, open);
      System.out.printf(
          "killed: unreachable after %.1f s, removed after %.1f s%n",
          (noticed - start) / 1e9, (gone - start) / 1e9);
      assertFalse(first.ended().isDone());
    }
  }

  @Test
  @Tag("slow")
  void aFirstNodeThatIsKilledEndsTheOthers() throws Exception {
    try (NodeProcess first = node(List.of(), "127.0.0.1", NodeMain.FIRST)) {
      int port = Integer.parseInt(first.await("up ", 30).substring("up ".length()));
      try (Membership second = engine().open(place("second", "127.0.0.1", List.of(port)))) {
        CompletableFuture<byte[]> open =
            second.call(second.members().getFirst(), "never", new byte[0], LONG);
        long start = System.nanoTime();
        first.signal("KILL");
        String why = second.ended().get(20, TimeUnit.SECONDS).why();
        System.out.printf("first killed: ended after %.1f s%n", (System.nanoTime() - start) / 1e9);
        assertTrue(why.contains("the first node"), why);
        Exception e = assertThrows(ExecutionException.class, () -> open.get(1, TimeUnit.SECONDS));
        assertInstanceOf(NodeLostException.class, e.getCause());
      }
    }
  }

  @Test
  @Tag("slow")
  void aStoppedNodeIsGivenUpAndJoinsAgain() throws Exception {
    try (Membership first = first("127.0.0.1");
        NodeProcess node = node(List.of(), "127.0.0.1", first)) {
      node.await("up", 30);
      BlockingQueue<MemberEvent> events = events(first);
      Member stopped = next(MemberEvent.Joined.class, events).member();
      CompletableFuture<byte[]> open = first.call(stopped, "never", new byte[0], LONG);
      long start = System.nanoTime();
      node.signal("STOP");
      next(MemberEvent.Unreachable.class, events);
      long noticed = System.nanoTime();
      next(MemberEvent.Removed.class, events);
      System.out.printf(
          "stopped: unreachable after %.1f s, removed after %.1f s%n",
          (noticed - start) / 1e9, (System.nanoTime() - start) / 1e9);
      assertLost(stopped, open);
      node.signal("CONT");
      start = System.nanoTime();
      backAgain(first, stopped, events);
      System.out.printf("back after %.1f s%n", (System.nanoTime() - start) / 1e9);
    }
  }

  /** A pause shorter than the failure timeout changes nothing. */
  @Test
  @Tag("slow")
  void aShortPauseIsNoLoss() throws Exception {
    try (Membership first = first("127.0.0.1");
        NodeProcess node = node(List.of(), "127.0.0.1", first)) {
      node.await("up", 30);
      BlockingQueue<MemberEvent> events = events(first);
      Member paused = next(MemberEvent.Joined.class, events).member();
      node.signal("STOP");
      next(MemberEvent.Unreachable.class, events);
      node.signal("CONT");
      assertEquals(paused, next(MemberEvent.Reachable.class, events).member());
      first.call(paused, "echo", new byte[1], LONG).get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  @Tag("slow")
  void aNodeThatWasCutOffStopsAndJoinsAgain() throws Exception {
    assumeTrue(NetworkNamespace.possible(), "no network namespaces for this user");
    try (NetworkNamespace wires = NetworkNamespace.lay();
        Membership first = first(NetworkNamespace.HERE);
        NodeProcess node = node(NetworkNamespace.ENTER, NetworkNamespace.THERE, first)) {
      node.await("up", 30);
      BlockingQueue<MemberEvent> events = events(first);
      Member cut = next(MemberEvent.Joined.class, events).member();
      CompletableFuture<byte[]> open = first.call(cut, "never", new byte[0], LONG);
      long start = System.nanoTime();
      wires.cut();
      String why = node.await("ended", 20);
      long ended = System.nanoTime();
      assertTrue(why.contains("cut off") || why.contains("first node"), why);
      next(MemberEvent.Unreachable.class, events);
      next(MemberEvent.Removed.class, events);
      assertLost(cut, open);
      System.out.printf(
          "cut: ended itself after %.1f s, removed by then or after %.1f s%n",
          (ended - start) / 1e9, (System.nanoTime() - start) / 1e9);
      Thread.sleep(Math.max(0, 30_000 - (System.nanoTime() - start) / 1_000_000));
      wires.mend();
      start = System.nanoTime();
      backAgain(first, cut, events);
      System.out.printf("back after %.1f s%n", (System.nanoTime() - start) / 1e9);
    }
  }

  private static void backAgain(Membership first, Member before, BlockingQueue<MemberEvent> events)
      throws Exception {
    Member again = next(MemberEvent.Joined.class, events).member();
    assertEquals(before.name(), again.name());
    assertNotEquals(before.uid(), again.uid());
    byte[] answer = first.call(again, "echo", new byte[3], LONG).get(20, TimeUnit.SECONDS);
    assertEquals(3, answer.length);
    CompletableFuture<byte[]> old = first.call(before, "echo", new byte[0], LONG);
    assertLost(before, old);
    assertEquals(List.of(first.self(), again), first.members());
  }

  private Membership first(String host) throws Exception {
    return engine().open(place("first", host, List.of()));
  }

  private MembershipConfig place(String name, String host, List<Integer> seeds) throws Exception {
    Authority authority = AuthorityFile.open(folder.resolve("authority.pem"), TestNodes.RUN);
    TestNodes nodes = new TestNodes(authority);
    return new MembershipConfig(
        TestNodes.RUN,
        nodes.node(name),
        at(host, 0),
        seeds.stream().map(port -> at(host, port)).toList(),
        nodes.identity(name),
        0,
        Duration.ofSeconds(20));
  }

  private static InetSocketAddress at(String host, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(host), port);
  }

  private NodeProcess node(List<String> before, String host, Membership first) throws Exception {
    return node(before, host, first.self().host() + ":" + first.self().port());
  }

  private NodeProcess node(List<String> before, String host, String first) throws Exception {
    Path file = folder.resolve("authority.pem");
    AuthorityFile.open(file, TestNodes.RUN);
    return NodeProcess.start(before, engine(), file, "worker", host + ":0", first);
  }

  /** Returns a queue of later events, which starts with the other present members. */
  private static BlockingQueue<MemberEvent> events(Membership first) {
    BlockingQueue<MemberEvent> events = new LinkedBlockingQueue<>();
    first.listen(
        event -> {
          if (!event.member().equals(first.self())) {
            events.add(event);
          }
        });
    return events;
  }

  private static <T extends MemberEvent> T next(Class<T> kind, BlockingQueue<MemberEvent> events)
      throws InterruptedException {
    MemberEvent event = events.poll(60, TimeUnit.SECONDS);
    return assertInstanceOf(kind, event);
  }

  private static void assertLost(Member member, CompletableFuture<byte[]> call) {
    Exception e = assertThrows(ExecutionException.class, () -> call.get(10, TimeUnit.SECONDS));
    assertEquals(member, assertInstanceOf(NodeLostException.class, e.getCause()).member());
  }
}
