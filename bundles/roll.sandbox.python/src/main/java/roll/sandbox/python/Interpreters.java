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
 * Makes interpreters, some of them before they are asked for: the first takes seconds, as all code
 * of the language is loaded for it, every further one some tenths of a second. They share what an
 * engine knows of programs, and nothing else.
 */
final class Interpreters implements AutoCloseable {
  /** Unpacked files of Truffle's languages; read once, when its first class is loaded. */
  private static final String CACHE = "polyglot.engine.userResourceCache";

  private static final int READY = 2;

  /** How long {@link #close} waits for programs to end. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private static final ThreadFactory STOP =
      Thread.ofPlatform().name("roll-python-stop").daemon().factory();

  /** All that were begun and not ended, those that are being made among them. */
  private final Set<Interpreter> alive = new HashSet<>();

  private boolean closed;
  private final BlockingQueue<Interpreter> ready = new ArrayBlockingQueue<>(READY);
  private final ExecutorService maker =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("roll-python-interpreters").daemon().factory());
  private final Engine engine;
  private final Source prelude;

  /**
   * @param cache folder for the standard library, which is unpacked at the first use
   */
  Interpreters(Path cache) {
    if (System.getProperty(CACHE) == null) {
      System.setProperty(CACHE, cache.toAbsolutePath().toString());
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(Interpreters.class.getClassLoader()); // where its languages are
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
   * A fresh interpreter; made now if none is ready.
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
      // closed meanwhile; otherwise whoever takes the next makes it himself, and is told why he
      // cannot
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

  /** Stops what runs in {@code interpreter}, and frees it; returns when that has ended. */
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
   * Ends all interpreters, also those that run or are being made; waits for that, but not for ever.
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
   * The engine comes last: it holds a lock while it waits for the ends of its interpreters, and one
   * that just loads a language wants that lock.
   */
  private void end(List<Interpreter> left) {
    try (ExecutorService killers = Executors.newThreadPerTaskExecutor(STOP)) {
      left.forEach(interpreter -> killers.execute(() -> end(interpreter)));
    }
    engine.close(true);
  }

  private static String prelude() {
    try (InputStream in = Interpreters.class.getResourceAsStream("prelude.py")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
