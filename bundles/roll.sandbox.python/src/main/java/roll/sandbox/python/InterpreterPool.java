package roll.sandbox.python;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Source;

/**
 * A pool that prepares interpreters ahead of need, since the first takes seconds and others some
 * tenths of a second. They share only the engine's compiled code.
 */
final class InterpreterPool implements AutoCloseable {
  /** The JVM property with the folder of Truffle's unpacked files, read when Truffle is loaded. */
  private static final String CACHE = "polyglot.engine.userResourceCache";

  private static final int READY = 2;

  /** Maximum wait of {@link #close} for programs to end. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private static final ThreadFactory STOP =
      Thread.ofPlatform().name("roll-python-stop").daemon().factory();

  /** All interpreters that are running or being prepared. */
  private final Set<Interpreter> alive = new HashSet<>();

  private boolean closed;
  private final BlockingQueue<Interpreter> ready = new ArrayBlockingQueue<>(READY);
  private final ExecutorService maker =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("roll-python-interpreters").daemon().factory());
  private final Engine engine;
  private final Source prelude;

  /**
   * Creates a pool.
   *
   * @param cache folder for the standard library, which is unpacked at the first use
   */
  InterpreterPool(Path cache) {
    if (System.getProperty(CACHE) == null) {
      System.setProperty(CACHE, cache.toAbsolutePath().toString());
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(
        InterpreterPool.class.getClassLoader()); // the folder of the languages
    try {
      engine =
          Engine.newBuilder("python")
              .useSystemProperties(false)
              .option("engine.WarnInterpreterOnly", "false")
              .logHandler(OutputStream.nullOutputStream())
              .build();
    } finally {
      thread.setContextClassLoader(before);
    }
    prelude = Source.newBuilder("python", prelude(), "prelude.py").internal(true).buildLiteral();
    maker.execute(this::prepare);
  }

  /**
   * Returns a new interpreter, created now if none is ready.
   *
   * @throws IllegalStateException after {@link #close}
   */
  Interpreter take() {
    Interpreter made;
    synchronized (alive) {
      requireOpen();
      made = ready.poll();
      maker.execute(this::prepare);
    }
    return made == null ? make() : made;
  }

  private void prepare() {
    try {
      while (ready.remainingCapacity() > 0) {
        Interpreter made = make();
        if (!ready.offer(made)) {
          end(made);
        }
      }
    } catch (RuntimeException e) {
      // the pool was closed, or the next caller creates the interpreter itself
      // and receives the error
    }
  }

  private Interpreter make() {
    Interpreter begun;
    synchronized (alive) {
      requireOpen();
      begun = new Interpreter(engine);
      alive.add(begun);
    }
    try {
      begun.prepare(prelude);
      return begun;
    } catch (RuntimeException | Error e) {
      end(begun);
      throw e;
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the sandbox is closed");
    }
  }

  /** Stops the program in {@code interpreter}, waits for its end and frees it. */
  void end(Interpreter interpreter) {
    try {
      interpreter.kill();
    } finally {
      synchronized (alive) {
        alive.remove(interpreter);
      }
    }
  }

  /**
   * Ends all interpreters, including those running or being prepared, and waits for a limited time.
   */
  @Override
  public void close() {
    List<Interpreter> left;
    synchronized (alive) {
      closed = true;
      left = List.copyOf(alive);
    }
    maker.shutdown();
    Thread closer = STOP.newThread(() -> end(left));
    closer.start();
    try {
      closer.join(GRACE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Closes {@code left} and then the engine, which holds a lock while it waits for its interpreters
   * that a loading interpreter needs.
   */
  private void end(List<Interpreter> left) {
    try (ExecutorService killers = Executors.newThreadPerTaskExecutor(STOP)) {
      left.forEach(interpreter -> killers.execute(() -> end(interpreter)));
    }
    engine.close(true);
  }

  private static String prelude() {
    try (InputStream in = InterpreterPool.class.getResourceAsStream("prelude.py")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
