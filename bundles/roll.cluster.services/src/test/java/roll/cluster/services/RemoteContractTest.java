package roll.cluster.services;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.image.Picture;
import roll.api.option.UserException;
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
        "node " + second.self() + ": a message has version 9 (supported: 1)", later.getMessage());
    second.close();
    assertInstanceOf(NodeLostException.class, failure(desk.read(1)));
  }

  interface Twice {
    void tell();

    void tell(String word);
  }

  @Test
  void interfacesThatNoContractCanBeAreRefused() {
    assertEquals(
        "two methods are named tell",
        assertThrows(
                IllegalArgumentException.class, () -> new RemoteContract<>("twice", Twice.class))
            .getMessage());
  }

  /** The second method has a parameter that cannot be encoded. */
  interface Partial {
    int twice(int number);

    void start(Thread thread);
  }

  @Test
  void methodsThatStayLocalAreNotCalledOnAnotherNode() {
    RemoteContract<Partial> contract =
        new RemoteContract<>("partial", Partial.class, Set.of("start"));
    contract.serve(
        second,
        _ ->
            new Partial() {
              @Override
              public int twice(int number) {
                return 2 * number;
              }

              @Override
              public void start(Thread thread) {
                throw new AssertionError("called from another node");
              }
            });
    Partial remote = contract.of(first, second.self(), TwoMembers.LIMIT);
    assertEquals(6, remote.twice(3));
    assertThrows(UnsupportedOperationException.class, () -> remote.start(Thread.currentThread()));
  }

  /** Calls that the thread waits for, on objects by number. */
  interface Counter {
    int add(int more);

    Optional<String> name(Object any);

    CompletableFuture<Integer> pictures(List<Picture> seen);
  }

  private record Adding(long start) implements Counter {
    @Override
    public int add(int more) {
      if (more == 0) {
        throw new UserException("more: 0 (allowed: above 0)");
      }
      if (more < 0) {
        throw new StackOverflowError("deep");
      }
      return (int) start + more;
    }

    @Override
    public Optional<String> name(Object any) {
      return Optional.of("x".repeat((Integer) any));
    }

    @Override
    public CompletableFuture<Integer> pictures(List<Picture> seen) {
      return CompletableFuture.completedFuture(
          seen.stream().distinct().mapToInt(Picture::size).sum() + seen.size());
    }
  }

  private static final RemoteContract<Counter> COUNTER =
      new RemoteContract<>("count", Counter.class);

  @Test
  void anObjectIsCalledByItsNumberAndItsFailuresAreKeptApart() {
    COUNTER.serve(
        second,
        (from, number, method) -> {
          if (number > 9) {
            throw new IllegalStateException("there is no counter " + number);
          }
          return RemoteContract.Target.of(new Adding(number));
        });
    Counter seven = COUNTER.of(first, second.self(), 7, TwoMembers.LIMIT);
    assertEquals(9, seven.add(2));
    assertEquals(
        "more: 0 (allowed: above 0)",
        assertThrows(UserException.class, () -> seven.add(0)).getMessage());
    assertEquals(
        "java.lang.StackOverflowError: deep",
        assertThrows(RemoteFailureException.class, () -> seven.add(-1)).getMessage());
    RemoteFailureException large =
        assertThrows(RemoteFailureException.class, () -> seven.name(Membership.MAX_MESSAGE_BYTES));
    assertTrue(
        String.valueOf(large.getMessage()).contains("bytes, more than 8388608"),
        large.getMessage());
    Counter none = COUNTER.of(first, second.self(), 10, TwoMembers.LIMIT);
    assertEquals(
        "node " + second.self() + ": there is no counter 10",
        assertThrows(RemoteCallException.class, () -> none.add(2)).getMessage());
  }

  @Test
  void picturesAreSentAheadAndCancellationReachesTheOtherNode() throws Exception {
    CompletableFuture<Integer> running = new CompletableFuture<>();
    COUNTER.serve(
        second,
        (from, number, method) ->
            RemoteContract.Target.of(
                number == 1
                    ? new Adding(1)
                    : new Counter() {
                      @Override
                      public int add(int more) {
                        return more;
                      }

                      @Override
                      public Optional<String> name(Object any) {
                        return Optional.empty();
                      }

                      @Override
                      public CompletableFuture<Integer> pictures(List<Picture> seen) {
                        return running;
                      }
                    }));
    List<Picture> three =
        IntStream.range(0, 3)
            .mapToObj(
                i -> {
                  byte[] data = new byte[5 << 20];
                  data[0] = (byte) i;
                  return Picture.of(data);
                })
            .toList();
    Counter one = COUNTER.of(first, second.self(), 1, TwoMembers.LIMIT);
    List<Picture> shown =
        List.of(three.get(0), three.get(1), three.get(0), three.get(2), three.get(1));
    assertEquals(3 * (5 << 20) + 5, one.pictures(shown).join());
    Counter slow = COUNTER.of(first, second.self(), 2, TwoMembers.LIMIT);
    CompletableFuture<Integer> call = slow.pictures(three);
    TwoMembers.await(() -> running.getNumberOfDependents() > 0);
    call.cancel(true);
    TwoMembers.await(running::isCancelled);
  }
}
