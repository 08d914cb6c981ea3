package roll.cluster.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import roll.cluster.ClusterEngine;
import roll.cluster.ClusterNode;
import roll.cluster.Member;
import roll.cluster.MemberEvent;
import roll.cluster.Membership;
import roll.cluster.MembershipEnd;
import roll.cluster.NoHandlerException;
import roll.cluster.NodeLostException;
import roll.cluster.Registration;
import roll.cluster.RemoteCallException;
import roll.cluster.StaleEpochException;
import roll.cluster.identity.Authority;
import roll.cluster.identity.Identity;

/**
 * Contract of a cluster engine for nodes of one process with mutual TLS. An engine's test extends
 * it.
 */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
public abstract class ClusterEngineContract {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** Join limit of nodes that are refused. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private final TestNodes nodes = new TestNodes(Authority.create("test"));

  /** The cluster engine under test. */
  protected abstract ClusterEngine engine();

  @Test
  void nodesJoinTalkAndLeave() throws Exception {
    try (Membership first = engine().open(nodes.first("first"))) {
      BlockingQueue<MemberEvent> events = new LinkedBlockingQueue<>();
      first.listen(events::add);
      first.handle("echo", (from, bytes) -> CompletableFuture.completedFuture(bytes));
      assertEquals(new MemberEvent.Joined(first.self()), events.poll(10, TimeUnit.SECONDS));
      Member left;
      try (Membership second = engine().open(nodes.joining("second", first))) {
        left = second.self();
        assertEquals(new MemberEvent.Joined(left), events.poll(10, TimeUnit.SECONDS));
        assertEquals(List.of(first.self(), left), second.members());
        assertEquals(List.of(first.self(), left), first.members());
        assertEquals(nodes.node("second"), left.node());
        for (int size : new int[] {0, 1, 100_000, 300_000, Membership.MAX_MESSAGE_BYTES}) {
          byte[] bytes = new byte[size];
          new Random(size).nextBytes(bytes);
          assertArrayEquals(
              bytes, second.call(first.self(), "echo", bytes, LIMIT).get(20, TimeUnit.SECONDS));
          assertArrayEquals(
              bytes, first.call(first.self(), "echo", bytes, LIMIT).get(20, TimeUnit.SECONDS));
        }
        assertThrows(
            IllegalArgumentException.class,
            () -> second.send(first.self(), "echo", new byte[Membership.MAX_MESSAGE_BYTES + 1]));
      }
      assertEquals(new MemberEvent.Removed(left, false), events.poll(10, TimeUnit.SECONDS));
      assertEquals(List.of(first.self()), first.members());
      NodeLostException lost = failure(NodeLostException.class, first, left, "echo");
      assertEquals(left, lost.member());
    }
  }

  @Test
  void failuresSayWhoAndWhy() throws Exception {
    try (Membership first = engine().open(nodes.first("first"))) {
      CompletableFuture<byte[]> open;
      CompletableFuture<MembershipEnd> ended;
      try (Membership second = known("second", first)) {
        second.handle(
            "throws",
            (_, _) -> {
              throw new IllegalStateException("no such table");
            });
        second.handle("never", (_, _) -> new CompletableFuture<>());
        String name = "node " + second.self();
        assertEquals(
            name + ": no such table",
            failure(RemoteCallException.class, first, second.self(), "throws").getMessage());
        assertEquals(
            name + ": no handler for topic nothing",
            failure(NoHandlerException.class, first, second.self(), "nothing").getMessage());
        CompletableFuture<byte[]> late =
            first.call(second.self(), "never", new byte[0], Duration.ofMillis(50));
        Exception e = assertThrows(ExecutionException.class, () -> late.get(10, TimeUnit.SECONDS));
        assertInstanceOf(TimeoutException.class, e.getCause());
        open = first.call(second.self(), "never", new byte[0], LIMIT);
        ended = second.ended();
      }
      Exception e = assertThrows(ExecutionException.class, () -> open.get(10, TimeUnit.SECONDS));
      assertInstanceOf(NodeLostException.class, e.getCause());
      assertEquals(MembershipEnd.Kind.CLOSED, ended.get().kind());
      assertFalse(first.ended().isDone());
    }
  }

  @Test
  void olderEpochsAreRefused() throws Exception {
    try (Membership first = engine().open(nodes.first("first"));
        Membership second = known("second", first)) {
      for (Membership node : List.of(first, second)) {
        node.handle("echo", (_, bytes) -> CompletableFuture.completedFuture(bytes));
      }
      second.handle("never", (_, _) -> new CompletableFuture<>());
      first.advance(7);
      StaleEpochException e = failure(StaleEpochException.class, second, first.self(), "echo");
      assertTrue(
          String.valueOf(e.getMessage()).endsWith("is in epoch 7 and refused a message of 0"),
          e.getMessage());
      assertEquals(7, second.epoch());
      second.call(first.self(), "echo", new byte[0], LIMIT).get(10, TimeUnit.SECONDS);
      first.advance(9);
      first.call(second.self(), "echo", new byte[0], LIMIT).get(10, TimeUnit.SECONDS);
      assertEquals(9, second.epoch());
      first.advance(3);
      assertEquals(9, first.epoch());
    }
  }

  @Test
  void anEndOfTheFirstNodeIsTheEndOfAll() throws Exception {
    CompletableFuture<Membership> joined = new CompletableFuture<>();
    Member gone;
    try (Membership first = engine().open(nodes.first("first"))) {
      gone = first.self();
      joined.complete(engine().open(nodes.joining("second", first)));
    }
    try (Membership second = joined.get()) {
      MembershipEnd end = second.ended().get(10, TimeUnit.SECONDS);
      assertEquals(MembershipEnd.Kind.FIRST_LEFT, end.kind());
      String why = end.why();
      assertTrue(why.contains("the first node, " + gone + ", has left"), why);
    }
  }

  @Test
  void whoDoesNotBelongIsNotTakenIn() throws Exception {
    Identity stranger = Authority.create("test").identity("stranger");
    try (Membership first = engine().open(nodes.first("first"))) {
      assertThrows(
          IOException.class,
          () -> engine().open(nodes.place("test", "stranger", first, stranger, SOON)));
      assertThrows(
          IOException.class,
          () ->
              engine().open(nodes.place("other", "second", first, nodes.identity("second"), SOON)));
      assertThrows(
          IOException.class, () -> engine().open(nodes.place("test", "plain", first, null, SOON)));
      garbage(first.self().port());
      assertEquals(List.of(first.self()), first.members());
      assertFalse(first.ended().isDone());
      try (Membership second = engine().open(nodes.joining("second", first))) {
        assertEquals(2, second.members().size());
      }
    }
  }

  @Test
  void aPortThatIsTakenIsSaid() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      IOException e =
          assertThrows(
              IOException.class, () -> engine().open(nodes.first("first", taken.getLocalPort())));
      assertTrue(
          String.valueOf(e.getMessage())
              .startsWith("cannot listen on 127.0.0.1:" + taken.getLocalPort() + ": "),
          e.getMessage());
    }
  }

  /** Opens a second node and waits until the first one knows it and can call it. */
  private Membership known(String name, Membership first) throws Exception {
    CountDownLatch heard = new CountDownLatch(1);
    ClusterNode node = nodes.node(name);
    try (Registration _ =
        first.listen(
            event -> {
              if (event instanceof MemberEvent.Joined(var member) && member.node().equals(node)) {
                heard.countDown();
              }
            })) {
      Membership second = engine().open(nodes.joining(name, first));
      assertTrue(heard.await(10, TimeUnit.SECONDS), name + " is not known to the first node");
      return second;
    }
  }

  private static <T extends Exception> T failure(
      Class<T> kind, Membership from, Member to, String topic) {
    CompletableFuture<byte[]> call = from.call(to, topic, new byte[0], LIMIT);
    Exception e = assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
    return assertInstanceOf(kind, e.getCause());
  }

  /** Opens fifty connections that send garbage, and one that sends nothing. */
  private static void garbage(int port) throws IOException {
    Random random = new Random(1);
    try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), port)) {
      for (int i = 0; i < 50; i++) {
        byte[] bytes = new byte[1 + random.nextInt(4000)];
        random.nextBytes(bytes);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            OutputStream out = socket.getOutputStream()) {
          out.write(bytes);
          out.flush();
        } catch (java.net.SocketException e) {
          // refused during the write
        }
      }
      assertTrue(silent.isConnected());
    }
  }
}
