package roll.cas;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Symja through the bundle's classes. */
class SymbolicEvaluatorTest {
  private final SymbolicEvaluator algebra = new SymbolicEvaluator("test", Duration.ofSeconds(20));

  @Test
  void simplifies() throws InterruptedException {
    assertEquals("5/6", evaluated("1/2+1/3"));
    assertEquals("0", evaluated("Simplify(Sin(x)^2+Cos(x)^2-1)"));
    assertEquals("Sqrt(2)", evaluated("Sqrt(8)-Sqrt(2)"));
    assertEquals("{{x->-Sqrt(2)},{x->Sqrt(2)}}", evaluated("Solve(x^2-2==0,x)"));
    assertEquals("2*Cos(x)*Sin(x)", evaluated("TrigExpand(Sin(2*x))"));
    assertEquals("x^3/3", evaluated("Integrate(x^2,x)"));
  }

  @Test
  void manyThreadsGetTheirOwnResults() {
    boolean right =
        IntStream.range(0, 64)
            .parallel()
            .allMatch(
                i ->
                    unchecked("Expand((x+" + (i + 1) + ")^2)").startsWith((i + 1) * (i + 1) + "+"));
    assertTrue(right);
  }

  @Test
  void whatTakesTooLongIsLeftBehind() throws InterruptedException {
    evaluated("1+1");
    SymbolicEvaluator hasty = new SymbolicEvaluator("test", Duration.ofMillis(50));
    ArithmeticException late =
        assertThrows(ArithmeticException.class, () -> hasty.call(engine -> forever()));
    assertEquals("not done in 50 ms", late.getMessage());
    assertEquals("2", evaluated("1+1"));
  }

  @Test
  void whatOverflowsTheStackFails() {
    ArithmeticException deep =
        assertThrows(ArithmeticException.class, () -> algebra.call(engine -> deeper(1)));
    assertTrue(deep.getMessage().contains("StackOverflowError"), deep.getMessage());
  }

  /** A framework may know the thread for long, and replace what the task belongs to. */
  @Test
  void aThreadThatEndedHoldsNoTask() throws InterruptedException {
    AtomicReference<Thread> worker = new AtomicReference<>();
    WeakReference<byte[]> known = begun(worker);
    try {
      await("kept by a thread that ended")
          .until(
              () -> {
                System.gc();
                return known.get() == null;
              });
    } finally {
      Reference.reachabilityFence(worker.get());
    }
  }

  /** An object used only by a task; {@code worker} receives the task's thread. */
  private WeakReference<byte[]> begun(AtomicReference<Thread> worker) throws InterruptedException {
    byte[] content = new byte[7];
    int length =
        algebra.call(
            engine -> {
              worker.set(Thread.currentThread());
              return content.length;
            });
    assertEquals(7, length);
    return new WeakReference<>(content);
  }

  private static int deeper(int depth) {
    return depth == 0 ? 0 : deeper(depth + 1) + 1;
  }

  /** Does not listen. */
  private static int forever() {
    long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    return 0;
  }

  private String unchecked(String expression) {
    try {
      return evaluated(expression);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private String evaluated(String expression) throws InterruptedException {
    return algebra.call(engine -> engine.evaluate(expression).toString());
  }
}
