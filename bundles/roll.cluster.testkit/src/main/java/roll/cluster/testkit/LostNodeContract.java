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
    try (JoinedNode joined = new JoinedNode(List.of(), "127.0.0.1", "127.0.0.1")) {
      long start = System.nanoTime();
      joined.node.signal("KILL");
      assertEquals(joined.member, next(MemberEvent.Unreachable.class, joined.events).member());
      long noticed = System.nanoTime();
      assertEquals(
          new MemberEvent.Removed(joined.member, true),
          next(MemberEvent.Removed.class, joined.events));
      long gone = System.nanoTime();
      assertLost(joined.member, joined.open);
      System.out.printf(
          "killed: unreachable after %.1f s, removed after %.1f s%n",
          (noticed - start) / 1e9, (gone - start) / 1e9);
      assertFalse(joined.first.ended().isDone());
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
    try (JoinedNode joined = new JoinedNode(List.of(), "127.0.0.1", "127.0.0.1")) {
      long start = System.nanoTime();
      joined.node.signal("STOP");
      next(MemberEvent.Unreachable.class, joined.events);
      long noticed = System.nanoTime();
      next(MemberEvent.Removed.class, joined.events);
      System.out.printf(
          "stopped: unreachable after %.1f s, removed after %.1f s%n",
          (noticed - start) / 1e9, (System.nanoTime() - start) / 1e9);
      assertLost(joined.member, joined.open);
      joined.node.signal("CONT");
      start = System.nanoTime();
      joined.backAgain();
      System.out.printf("back after %.1f s%n", (System.nanoTime() - start) / 1e9);
    }
  }

  /** A pause shorter than the failure timeout changes nothing. */
  @Test
  @Tag("slow")
  void aShortPauseIsNoLoss() throws Exception {
    try (JoinedNode joined = new JoinedNode(List.of(), "127.0.0.1", "127.0.0.1")) {
      joined.node.signal("STOP");
      next(MemberEvent.Unreachable.class, joined.events);
      joined.node.signal("CONT");
      assertEquals(joined.member, next(MemberEvent.Reachable.class, joined.events).member());
      joined.first.call(joined.member, "echo", new byte[1], LONG).get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  @Tag("slow")
  void aNodeThatWasCutOffStopsAndJoinsAgain() throws Exception {
    assumeTrue(NetworkNamespace.possible(), "no network namespaces for this user");
    try (NetworkNamespace wires = NetworkNamespace.lay();
        JoinedNode joined =
            new JoinedNode(NetworkNamespace.ENTER, NetworkNamespace.HERE, NetworkNamespace.THERE)) {
      long start = System.nanoTime();
      wires.cut();
      String why = joined.node.await("ended", 20);
      long ended = System.nanoTime();
      assertTrue(why.contains("cut off") || why.contains("first node"), why);
      next(MemberEvent.Unreachable.class, joined.events);
      next(MemberEvent.Removed.class, joined.events);
      assertLost(joined.member, joined.open);
      System.out.printf(
          "cut: ended itself after %.1f s, removed by then or after %.1f s%n",
          (ended - start) / 1e9, (System.nanoTime() - start) / 1e9);
      Thread.sleep(Math.max(0, 30_000 - (System.nanoTime() - start) / 1_000_000));
      wires.mend();
      start = System.nanoTime();
      joined.backAgain();
      System.out.printf("back after %.1f s%n", (System.nanoTime() - start) / 1e9);
    }
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

  /** A first node, and a node of another process that has joined it. */
  private final class JoinedNode implements AutoCloseable {
    final Membership first;
    final NodeProcess node;
    final BlockingQueue<MemberEvent> events;
    final Member member;

    /** A call to the node that it never answers. */
    final CompletableFuture<byte[]> open;

    JoinedNode(List<String> before, String here, String there) throws Exception {
      first = engine().open(place("first", here, List.of()));
      node = node(before, there, first.self().host() + ":" + first.self().port());
      try {
        node.await("up", 30);
        events = events(first);
        member = next(MemberEvent.Joined.class, events).member();
      } catch (InterruptedException | AssertionError e) {
        close();
        throw e;
      }
      open = first.call(member, "never", new byte[0], LONG);
    }

    /** Waits until the node has joined again, as another member. */
    void backAgain() throws Exception {
      Member again = next(MemberEvent.Joined.class, events).member();
      assertEquals(member.name(), again.name());
      assertNotEquals(member.uid(), again.uid());
      byte[] answer = first.call(again, "echo", new byte[3], LONG).get(20, TimeUnit.SECONDS);
      assertEquals(3, answer.length);
      CompletableFuture<byte[]> old = first.call(member, "echo", new byte[0], LONG);
      assertLost(member, old);
      assertEquals(List.of(first.self(), again), first.members());
    }

    @Override
    public void close() {
      node.close();
      first.close();
    }
  }
}
