package roll.cluster.services;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.cluster.Membership;
import roll.cluster.NoHandlerException;
import roll.cluster.NodeLostException;
import roll.cluster.Registration;
import roll.cluster.RemoteCallException;
import roll.cluster.services.TwoMembers.Desk;

/** Interfaces that other nodes call, with real membership. */
@Tag("processes")
@Timeout(120)
class RemoteContractTest {
  private static final RemoteContract<Desk> DESK = new RemoteContract<>("test", Desk.class);

  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private TwoMembers members;
  private Membership first;
  private Membership second;

  @BeforeEach
  void open() throws Exception {
    members = new TwoMembers();
    first = members.first;
    second = members.second;
  }

  @AfterEach
  void close() {
    members.close();
  }

  private static Throwable failure(CompletableFuture<?> call) {
    return assertThrows(CompletionException.class, call::join).getCause();
  }

  @Test
  void methodsOfAnInterfaceAreCalledOnAnotherNode() throws Exception {
    Desk desk = DESK.of(first, second.self(), TwoMembers.LIMIT);
    assertInstanceOf(NoHandlerException.class, failure(desk.read(1)));
    Registration serving = DESK.serve(second, from -> new TwoMembers.Answers(told, from.name()));
    assertEquals(Map.of("first[a, b]kg", 2.0), desk.weigh(List.of("a", "b"), "kg").join());
    assertEquals(Map.of("first[]null", 0.0), desk.weigh(List.of(), null).join());
    assertArrayEquals(new byte[1 << 20], desk.read(1 << 20).join());
    desk.tell(" hello");
    assertEquals("first hello", told.poll(30, TimeUnit.SECONDS));
    assertEquals(
        "node " + second.self() + ": not today", failure(desk.fail("not today")).getMessage());
    assertEquals(
        "node " + second.self() + ": too deep",
        failure(desk.overflow().orTimeout(30, TimeUnit.SECONDS)).getMessage());
    assertEquals(desk, desk);
    assertNotEquals(desk, DESK.of(first, second.self(), TwoMembers.LIMIT));
    assertEquals("Desk", desk.toString());
    serving.close();
    assertInstanceOf(NoHandlerException.class, failure(desk.read(1)));
  }

  @Test
  void whatCannotTravelIsSaidInOneLine() {
    DESK.serve(second, from -> new TwoMembers.Answers(told, from.name()));
    Desk desk = DESK.of(first, second.self(), TwoMembers.LIMIT);
    Throwable large = failure(desk.weigh(List.of("x".repeat(Membership.MAX_MESSAGE_BYTES)), null));
    assertTrue(
        String.valueOf(large.getMessage())
            .startsWith("node " + second.self() + ": a message may have 8388608 bytes, but has"),
        large.getMessage());
    assertInstanceOf(
        RemoteCallException.class,
        failure(desk.read(Membership.MAX_MESSAGE_BYTES)),
        "the answer is long");
    byte[] nonsense = {1, 2, 3};
    Throwable refused =
        failure(first.call(second.self(), "test/weigh", nonsense, TwoMembers.LIMIT));
    assertEquals(
        "node " + second.self() + ": a message ends after 3 bytes, in the middle of a value",
        refused.getMessage());
    Throwable later =
        failure(first.call(second.self(), "test/weigh", new byte[] {9}, TwoMembers.LIMIT));
    assertEquals(
        "node " + second.self() + ": a message of version 9, where 1 is read", later.getMessage());
    second.close();
    assertInstanceOf(NodeLostException.class, failure(desk.read(1)));
  }

  interface Odd {
    int weigh();
  }

  interface Twice {
    void tell();

    void tell(String word);
  }

  @Test
  void interfacesThatNoContractCanBeAreRefused() {
    assertEquals(
        "int is neither void nor a future",
        assertThrows(IllegalArgumentException.class, () -> new RemoteContract<>("odd", Odd.class))
            .getMessage());
    assertEquals(
        "two methods are named tell",
        assertThrows(
                IllegalArgumentException.class, () -> new RemoteContract<>("twice", Twice.class))
            .getMessage());
  }
}
