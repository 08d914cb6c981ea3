package roll.sandbox.python;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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

  /** A fresh interpreter; made now if none is ready. */
  Interpreter take() {
    Interpreter made = ready.poll();
    maker.execute(this::prepare);
    return made == null ? new Interpreter(engine, prelude) : made;
  }

  private void prepare() {
    try {
      while (ready.remainingCapacity() > 0 && !maker.isShutdown()) {
        Interpreter made = new Interpreter(engine, prelude);
        if (!ready.offer(made)) {
          made.kill();
        }
      }
    } catch (RuntimeException e) {
      // closed meanwhile; else whoever takes the next makes it himself, and is told why he cannot
    }
  }

  /** Ends all interpreters, also those that run. */
  @Override
  public void close() {
    maker.shutdown();
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
