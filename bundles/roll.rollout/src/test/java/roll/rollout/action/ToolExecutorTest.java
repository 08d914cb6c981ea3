package roll.rollout.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.agent.AgentTools;
import roll.api.config.AgentConfig;
import roll.api.config.AgentConfig.Side;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.rollout.LineCallAgent;
import roll.rollout.action.ToolExecutor.End;
import roll.rollout.action.ToolExecutor.Outcome;

/** Execution of the calls of a message. */
@NullMarked
@Timeout(60)
class ToolExecutorTest {
  private static final ToolSet ECHO =
      ToolSet.of(
          ToolSchema.of("echo", "Says it again.", Argument.text("text", "what")),
          arguments -> ToolResult.of("said " + arguments.get("text")));
  private static final ToolSet ANSWER =
      ToolSet.of(
          ToolSchema.of("answer", "Ends.", Argument.text("text", "what")),
          arguments -> ToolResult.finish(String.valueOf(arguments.get("text"))));

  private static ToolCall echo(String text) {
    return ToolCall.of("echo", Map.of("text", text));
  }

  private static AgentConfig config(boolean parallel, double seconds) {
    return new AgentConfig("hf", Map.of(), 4, 3, parallel, seconds, 12, Side.LEFT);
  }

  private static ToolExecutor calls(AgentConfig config, ToolSet... sets) {
    return new ToolExecutor(new AgentTools(config, new LineCallAgent(), List.of(sets)), 1);
  }

  @Test
  void whatCannotBeCalledIsTold() throws InterruptedException {
    ToolExecutor calls = calls(config(true, 30), ECHO, ANSWER);
    List<Outcome> made =
        calls.execute(
            List.of(
                echo("a"),
                ToolCall.of("ecko", Map.of()),
                ToolCall.malformed("", "no JSON"),
                echo("b")));
    assertEquals(
        List.of(
            new Outcome("echo", "said a", End.DONE),
            new Outcome("ecko", "There is no ...(truncated)", End.REFUSED),
            new Outcome("", "no JSON", End.REFUSED),
            new Outcome("echo", "Not called: ...(truncated)", End.REFUSED)),
        made);
    assertEquals(
        End.REFUSED, calls.execute(List.of(ToolCall.of("echo", Map.of()))).getFirst().end());
  }

  @Test
  void anEpisodeHasOnlySoManyCalls() throws InterruptedException {
    ToolExecutor calls = calls(config(false, 30), ECHO);
    for (int i = 0; i < 4; i++) {
      assertEquals(End.DONE, calls.execute(List.of(echo("x"))).getFirst().end());
    }
    assertEquals(End.REFUSED, calls.execute(List.of(echo("x"))).getFirst().end());
  }

  @Test
  void callsOfAMessageRunAtOnceAndAnswerInOrder() throws InterruptedException {
    CountDownLatch both = new CountDownLatch(2);
    ToolSet meeting =
        ToolSet.of(
            ToolSchema.of("meet", "Waits for the other.", Argument.text("text", "who")),
            arguments -> {
              both.countDown();
              both.await();
              return ToolResult.of(String.valueOf(arguments.get("text")));
            });
    ToolCall first = ToolCall.of("meet", Map.of("text", "1"));
    ToolCall second = ToolCall.of("meet", Map.of("text", "2"));
    List<Outcome> made = calls(config(true, 30), meeting).execute(List.of(first, second));
    assertEquals(List.of("1", "2"), made.stream().map(Outcome::observation).toList());
  }

  @Test
  void whatFollowsAnAnswerIsNotCalled() throws InterruptedException {
    AtomicInteger called = new AtomicInteger();
    ToolSet counting =
        ToolSet.of(
            ToolSchema.of("count", "Counts."), a -> ToolResult.of("" + called.incrementAndGet()));
    List<ToolCall> asked =
        List.of(ToolCall.of("answer", Map.of("text", "42")), ToolCall.of("count", Map.of()));
    List<Outcome> made = calls(config(false, 30), ANSWER, counting).execute(asked);
    assertEquals(List.of(new Outcome("answer", "42", End.FINISHED)), made);
    assertEquals(0, called.get());
  }

  @Test
  void slowAndBrokenToolsAreObservations() throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    ToolSet slow =
        ToolSet.of(
            ToolSchema.of("slow", "Sleeps."),
            arguments -> {
              try {
                Thread.sleep(60_000);
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
              return ToolResult.of("late");
            });
    ToolSet broken =
        ToolSet.of(
            ToolSchema.of("broken", "Breaks."),
            arguments -> {
              throw new StackOverflowError("deep");
            });
    assertEquals(
        List.of(new Outcome("slow", "Error: slow ...(truncated)", End.FAILED)),
        calls(config(true, 0.2), slow).execute(List.of(ToolCall.of("slow", Map.of()))));
    assertEquals(
        List.of(new Outcome("broken", "Error: deep", End.FAILED)),
        calls(config(true, 30), broken).execute(List.of(ToolCall.of("broken", Map.of()))));
    interrupted.await();
  }

  @Test
  void aCallThatWaitsForAProcessorIsNotSlow() throws InterruptedException {
    int processors = Runtime.getRuntime().availableProcessors();
    CountDownLatch busy = new CountDownLatch(processors);
    long end = System.nanoTime() + 1_000_000_000;
    for (int i = 0; i < processors; i++) {
      Thread.startVirtualThread(
          () -> {
            busy.countDown();
            while (System.nanoTime() < end) {
              Thread.onSpinWait();
            }
          });
    }
    busy.await();
    Outcome made = calls(config(true, 0.2), ECHO).execute(List.of(echo("it"))).getFirst();
    assertEquals(new Outcome("echo", "said it", End.DONE), made);
  }

  @Test
  void anEpisodeHasItsOwnSessionAndClosesIt() throws InterruptedException {
    AtomicInteger open = new AtomicInteger();
    ToolSet counting =
        new ToolSet() {
          @Override
          public List<ToolSchema> tools() {
            return List.of(ToolSchema.of("count", "Counts."));
          }

          @Override
          public ToolSession open(long seed) {
            open.incrementAndGet();
            AtomicInteger count = new AtomicInteger();
            return new ToolSession() {
              @Override
              public ToolResult call(String tool, Map<String, Object> arguments) {
                return ToolResult.of("" + count.incrementAndGet());
              }

              @Override
              public void close() {
                open.decrementAndGet();
              }
            };
          }
        };
    ToolExecutor one = calls(config(true, 30), counting);
    ToolExecutor other = calls(config(true, 30), counting);
    List<ToolCall> asked = List.of(ToolCall.of("count", Map.of()));
    one.execute(asked);
    assertEquals("2", one.execute(asked).getFirst().observation());
    assertEquals("1", other.execute(asked).getFirst().observation());
    one.close();
    other.close();
    assertEquals(0, open.get());
  }

  @Test
  void textIsCutWhereItIsAskedToBe() {
    for (var expected :
        Map.of(
                Side.LEFT, "abcdef...(truncated)",
                Side.RIGHT, "(truncated)...efghij",
                Side.MIDDLE, "abc...(truncated)...hij")
            .entrySet()) {
      AgentConfig six = new AgentConfig("hf", Map.of(), 0, 1, true, 1, 6, expected.getKey());
      assertEquals(expected.getValue(), ResultTruncation.of(six, "abcdefghij"));
      assertEquals("abcdef", ResultTruncation.of(six, "abcdef"));
      String smiles = ResultTruncation.of(six, "a🙂🙂🙂🙂");
      assertTrue(smiles.chars().noneMatch(c -> c == '?'), smiles);
    }
  }

  @Test
  void anInterruptEndsTheWait() throws InterruptedException {
    ToolSet slow =
        ToolSet.of(
            ToolSchema.of("slow", "Sleeps."),
            arguments -> {
              Thread.sleep(60_000);
              return ToolResult.of("late");
            });
    ToolExecutor calls = calls(config(true, 50), slow);
    Thread.currentThread().interrupt();
    assertThrows(
        InterruptedException.class, () -> calls.execute(List.of(ToolCall.of("slow", Map.of()))));
  }
}
