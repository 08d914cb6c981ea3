package roll.cluster.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.cluster.ClusterEngine;
import roll.cluster.Member;
import roll.cluster.MemberEvent;
import roll.cluster.Membership;
import roll.cluster.MembershipConfig;
import roll.cluster.MembershipEnd;
import roll.cluster.identity.Authority;

/**
 * Contract of a cluster engine with three members and links that fail in one direction: the first
 * node decides on the membership. An engine's test extends it.
 */
@Timeout(120)
public abstract class StarContract {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final String FIRST = "first";

  /** Time in which a node would be removed. */
  private static final long LONG_NANOS = Duration.ofSeconds(8).toNanos();

  /** More bytes than nodes send on their own. */
  private static final int SOME_BYTES = 150_000;

  private static final int HELD_BYTES = 8_000;

  private static final int TIMES = 10;

  private final TestNodes nodes = new TestNodes(Authority.create("test"));

  /**
   * The cluster engine under test.
   *
   * @param listening address where its nodes listen, at the port of their configuration
   * @param from address from which they connect
   */
  protected abstract ClusterEngine engine(String listening, String from);

  @Test
  void aOneWayLossBetweenTwoOthersIsNoLoss() throws Exception {
    try (Star star = new Star()) {
      star.wires.cut("second", "third");
      assertAllStay(star);
    }
  }

  @Test
  @Tag("slow")
  void aCutBetweenTwoOthersIsNoLoss() throws Exception {
    try (Star star = new Star()) {
      star.wires.cut("second", "third");
      star.wires.cut("third", "second");
      assertAllStay(star);
    }
  }

  /** Asserts that no node is removed while others join and leave. */
  private static void assertAllStay(Star star) throws Exception {
    Membership first = star.member(FIRST);
    BlockingQueue<MemberEvent> events = new LinkedBlockingQueue<>();
    first.listen(events::add);
    long end = System.nanoTime() + LONG_NANOS;
    while (System.nanoTime() < end) {
      Member gone;
      try (Membership fourth = star.open("fourth")) {
        gone = fourth.self();
      }
      await(events, new MemberEvent.Removed(gone, false));
    }
    for (Membership member : star.members.values()) {
      assertFalse(member.ended().isDone());
    }
    assertEquals(
        List.of(first.self(), star.member("second").self(), star.member("third").self()),
        first.members());
  }

  @Test
  void whoDoesNotHearTheFirstNodeIsGivenUpAlone() throws Exception {
    assertOneIsLost(FIRST, "second");
  }

  @Test
  @Tag("slow")
  void whomTheFirstNodeDoesNotHearIsGivenUpAlone() throws Exception {
    assertOneIsLost("second", FIRST);
  }

  private void assertOneIsLost(String from, String to) throws Exception {
    try (Star star = new Star()) {
      Membership first = star.member(FIRST);
      Membership second = star.member("second");
      Membership third = star.member("third");
      BlockingQueue<MemberEvent> events = new LinkedBlockingQueue<>();
      third.listen(events::add);
      star.wires.cut(from, to);
      MembershipEnd end = second.ended().get(20, TimeUnit.SECONDS);
      assertEquals(MembershipEnd.Kind.CUT_OFF, end.kind());
      assertTrue(end.why().contains("the first node"), end.why());
      await(events, new MemberEvent.Removed(second.self(), true));
      assertEquals(List.of(first.self(), third.self()), first.members());
      second.close();
      star.wires.mend(from, to);
      try (Membership again = star.open("second")) {
        assertNotEquals(second.self().uid(), again.self().uid());
        assertEquals(3, first.members().size());
      }
      assertFalse(first.ended().isDone());
      assertFalse(third.ended().isDone());
    }
  }

  @Test
  @Tag("slow")
  void connectionsThatBreakOverAndOverAreMadeAgain() throws Exception {
    try (Star star = new Star()) {
      Membership first = star.member(FIRST);
      Membership second = star.member("second");
      second.handle("echo", (_, bytes) -> CompletableFuture.completedFuture(bytes));
      for (int i = 0; i < TIMES; i++) {
        star.wires.reset(FIRST, "second");
        star.wires.reset("second", FIRST);
        first.call(second.self(), "echo", new byte[1], LIMIT).get(20, TimeUnit.SECONDS);
      }
      for (Membership member : star.members.values()) {
        assertFalse(member.ended().isDone());
      }
    }
  }

  @Test
  void aCallThatIsLostWithItsConnectionIsSentAgain() throws Exception {
    try (Star star = new Star()) {
      Membership first = star.member(FIRST);
      Membership second = star.member("second");
      AtomicInteger times = new AtomicInteger();
      second.handle("echo", (_, bytes) -> CompletableFuture.completedFuture(bytes));
      second.handle("count", (_, _) -> counted(times));
      first.call(second.self(), "echo", new byte[1], LIMIT).get(20, TimeUnit.SECONDS);
      star.wires.cut(FIRST, "second");
      CompletableFuture<byte[]> call =
          first.call(second.self(), "count", new byte[SOME_BYTES], LIMIT);
      star.wires.awaitHeld(FIRST, "second", HELD_BYTES);
      star.wires.reset(FIRST, "second");
      star.wires.mend(FIRST, "second");
      assertEquals(1, call.get(20, TimeUnit.SECONDS).length);
      assertEquals(1, times.get());
    }
  }

  @Test
  void anAnswerThatIsLostWithItsConnectionIsSentAgain() throws Exception {
    try (Star star = new Star()) {
      Membership first = star.member(FIRST);
      Membership second = star.member("second");
      AtomicInteger times = new AtomicInteger();
      CompletableFuture<byte[]> answer = new CompletableFuture<>();
      CountDownLatch begun = new CountDownLatch(1);
      second.handle("echo", (_, bytes) -> CompletableFuture.completedFuture(bytes));
      second.handle(
          "count",
          (_, _) -> {
            begun.countDown();
            return answer.thenCompose(_ -> counted(times));
          });
      first.call(second.self(), "echo", new byte[1], LIMIT).get(20, TimeUnit.SECONDS);
      CompletableFuture<byte[]> call = first.call(second.self(), "count", new byte[1], LIMIT);
      begun.await();
      star.wires.cut("second", FIRST);
      answer.complete(new byte[0]);
      CompletableFuture<byte[]> later =
          first.call(second.self(), "echo", new byte[SOME_BYTES], LIMIT);
      star.wires.awaitHeld("second", FIRST, HELD_BYTES);
      star.wires.reset("second", FIRST);
      star.wires.mend("second", FIRST);
      assertEquals(SOME_BYTES, later.get(20, TimeUnit.SECONDS).length);
      assertEquals(1, call.get(20, TimeUnit.SECONDS).length);
      assertEquals(1, times.get());
    }
  }

  private static CompletableFuture<byte[]> counted(AtomicInteger times) {
    times.incrementAndGet();
    return CompletableFuture.completedFuture(new byte[1]);
  }

  private static void await(BlockingQueue<MemberEvent> events, MemberEvent wanted)
      throws InterruptedException {
    MemberEvent event = events.poll(20, TimeUnit.SECONDS);
    while (event != null && !event.equals(wanted)) {
      event = events.poll(20, TimeUnit.SECONDS);
    }
    assertEquals(wanted, event);
  }

  /** Three members that know each other by addresses of a switch. */
  private final class Star implements AutoCloseable {
    final TcpSwitch wires = new TcpSwitch();
    final Map<String, Membership> members = new HashMap<>();
    private final Map<String, InetSocketAddress> places = new HashMap<>();

    Star() throws IOException, InterruptedException {
      for (String name : List.of(FIRST, "second", "third")) {
        members.put(name, open(name));
      }
      for (Membership member : members.values()) {
        CompletableFuture<Boolean> all = new CompletableFuture<>();
        member.listen(
            _ -> {
              if (member.members().size() == members.size()) {
                all.complete(true);
              }
            });
        all.join();
      }
    }

    /** Returns the first node with that name. */
    Membership member(String name) {
      return Objects.requireNonNull(members.get(name));
    }

    Membership open(String name) throws IOException, InterruptedException {
      InetSocketAddress at = places.get(name);
      if (at == null) {
        at = wires.plug(name);
        places.put(name, at);
      }
      InetSocketAddress first = places.get(FIRST);
      return engine(TcpSwitch.listening(at), at.getAddress().getHostAddress())
          .open(
              new MembershipConfig(
                  TestNodes.RUN,
                  nodes.node(name),
                  at,
                  name.equals(FIRST) || first == null ? List.of() : List.of(first),
                  nodes.identity(name),
                  0,
                  LIMIT));
    }

    @Override
    public void close() {
      members.values().forEach(Membership::close);
      wires.close();
    }
  }
}
