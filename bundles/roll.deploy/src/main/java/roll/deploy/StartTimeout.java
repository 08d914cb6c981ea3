package roll.deploy;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.plugin.OneShotTask;

/**
 * Runs code of a jar with a timeout: its activator and constructors may never return, and later
 * jars must not wait for that. Used by one thread.
 */
final class StartTimeout {
  /** Framework property: seconds that a start may take. */
  static final String PROPERTY = "roll.deploy.timeout";

  private static final Logger LOG = LoggerFactory.getLogger("roll.deploy");
  private static final long DEFAULT_SECONDS = 60;
  private static final long SECONDS_TO_END = 2;

  private final long seconds;
  private String where = "";
  private boolean lost;

  /** A timeout of {@code seconds} per call. */
  StartTimeout(long seconds) {
    this.seconds = seconds;
  }

  /** Returns the timeout of the value of {@link #PROPERTY}; a minute if it is null or invalid. */
  static StartTimeout of(@Nullable String seconds) {
    if (seconds != null && seconds.matches("[1-9]\\d{0,8}")) {
      return new StartTimeout(Long.parseLong(seconds));
    }
    if (seconds != null) {
      LOG.warn(
          "{}: expected an integer from 1 to 999999999, found '{}'; {} is used",
          PROPERTY,
          seconds,
          DEFAULT_SECONDS);
    }
    return new StartTimeout(DEFAULT_SECONDS);
  }

  /**
   * Returns the result of {@code work}, run with a timeout on its own thread; empty after the
   * timeout.
   */
  <T> Optional<T> grant(Supplier<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("roll.deploy start")
            .start(new OneShotTask(() -> complete(result, work)));
    lost = false;
    try {
      return Optional.of(result.get(seconds, TimeUnit.SECONDS));
    } catch (TimeoutException e) {
      StackTraceElement[] stack = thread.getStackTrace();
      where = stack.length == 0 ? "" : " (at " + place(stack) + ")";
      thread.interrupt();
      lost = !ends(thread);
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static <T> void complete(CompletableFuture<T> result, Supplier<T> work) {
    try {
      result.complete(work.get());
    } catch (Throwable e) { // passes any error to the caller
      result.completeExceptionally(e);
    }
  }

  /** Returns the innermost frame outside the JDK. */
  private static String place(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (!frame.getClassName().startsWith("java.") && !frame.getClassName().startsWith("jdk.")) {
        return frame.toString();
      }
    }
    return stack[0].toString();
  }

  private static boolean ends(Thread thread) {
    try {
      return thread.join(java.time.Duration.ofSeconds(SECONDS_TO_END));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns whether the last timed-out work is still running. */
  boolean lost() {
    return lost;
  }

  /** Returns the error message of the last timeout. */
  String complaint() {
    return "its activator or a component did not return within " + seconds + " s" + where;
  }
}
