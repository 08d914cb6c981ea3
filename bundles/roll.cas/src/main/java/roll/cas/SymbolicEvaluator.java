package roll.cas;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.matheclipse.core.basic.Config;
import org.matheclipse.core.eval.EvalEngine;
import org.matheclipse.core.expression.F;

/**
 * Evaluates with Symja, each time on a new thread with a new engine and a time limit. A thread that
 * exceeds the limit is interrupted and abandoned; it is a daemon. Thread-safe.
 */
public final class SymbolicEvaluator {
  /** Stack size, for deep expressions, which are evaluated recursively. */
  private static final long STACK_BYTES = 64L << 20;

  private static final int RECURSION = 512;
  private static final int ITERATIONS = 2_000;

  private final String name;
  private final Duration limit;

  /**
   * Limits concurrent evaluations to the number of cores, so that the time limit applies to one
   * evaluation.
   */
  private final Semaphore turns = new Semaphore(Runtime.getRuntime().availableProcessors());

  /**
   * Creates an evaluator.
   *
   * @param name name of its threads
   * @param limit time limit of one evaluation
   */
  public SymbolicEvaluator(String name, Duration limit) {
    this.name = name;
    this.limit = limit;
  }

  /**
   * Runs {@code task} with an engine set for its thread, after waiting for a free core.
   *
   * @throws ArithmeticException with a one-line message, if the task fails or exceeds the limit
   * @throws InterruptedException if the caller is interrupted; the task is stopped
   */
  public <T> T call(Function<EvalEngine, T> task) throws InterruptedException {
    Symja.ready();
    turns.acquire();
    try {
      return run(task);
    } finally {
      turns.release();
    }
  }

  private <T> T run(Function<EvalEngine, T> task) throws InterruptedException {
    EvalEngine engine = engine();
    CompletableFuture<T> result = new CompletableFuture<>();
    // A framework may keep a reference to an ended thread (Felix: for a class that two threads
    // loaded concurrently), and the bundle of the task may be replaced: drop the task.
    AtomicReference<@Nullable Runnable> work =
        new AtomicReference<>(() -> complete(result, task, engine));
    Thread worker =
        Thread.ofPlatform()
            .name(name)
            .daemon()
            .stackSize(STACK_BYTES)
            .unstarted(() -> Objects.requireNonNull(work.getAndSet(null)).run());
    worker.start();
    try {
      return result.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      throw new ArithmeticException(message(failed));
    } catch (TimeoutException late) {
      throw new ArithmeticException("not done in " + limit.toMillis() + " ms");
    } finally {
      engine.stopRequest();
      worker.interrupt();
    }
  }

  /** Returns the cause's message in one line, or its type without message. */
  private static String message(ExecutionException failed) {
    Throwable cause = failed.getCause();
    String message = cause == null ? null : cause.getMessage();
    return message == null || message.isBlank()
        ? String.valueOf(cause).replaceAll(".*\\.", "")
        : message.lines().findFirst().orElse("");
  }

  /** Completes {@code result}, also with errors such as stack overflow or lack of memory. */
  private static <T> void complete(
      CompletableFuture<T> result, Function<EvalEngine, T> task, EvalEngine engine) {
    EvalEngine.setReset(engine);
    try {
      result.complete(task.apply(engine));
    } catch (RuntimeException | Error failed) {
      result.completeExceptionally(failed);
    } finally {
      EvalEngine.remove();
    }
  }

  private static EvalEngine engine() {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false);
    EvalEngine engine = new EvalEngine("", RECURSION, ITERATIONS, nowhere, nowhere, true);
    engine.setQuietMode(true);
    return engine;
  }

  /** Initializes Symja on first use, on a thread that is never interrupted. */
  private static final class Symja {
    private static final String TRIAL = "N(Abs(Simplify(Sin(x)^2+(x+1)^2-x^2)/.x->3/7+2*I),30)";
    private static final FutureTask<Boolean> LOADED = new FutureTask<>(Symja::load);

    static {
      Thread.ofPlatform().name("symja").daemon().stackSize(STACK_BYTES).start(LOADED);
    }

    /** Runs a first evaluation, which loads the rules that nearly all others need. */
    private static boolean load() throws InterruptedException {
      Config.FILESYSTEM_ENABLED = false;
      Config.MAX_AST_SIZE = 20_000;
      Config.MAX_BIT_LENGTH = 200_000;
      Config.MAX_POLYNOMIAL_DEGREE = 100;
      Config.JAS_NO_THREADS = true;
      F.await();
      EvalEngine engine = engine();
      EvalEngine.setReset(engine);
      return engine.evaluate(TRIAL).isPresent();
    }

    static void ready() throws InterruptedException {
      try {
        LOADED.get();
      } catch (ExecutionException failed) {
        throw new ArithmeticException("Symja could not be loaded: " + message(failed));
      }
    }
  }
}
