package roll.deploy;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import roll.api.plugin.OneShotTask;

/**
 * Time for what the code of a jar takes part in: its activator and its constructors may never
 * return, and the jars behind it must not wait for that. Used by one thread.
 */
final class StartTimeout {
  private static final long SECONDS_TO_END = 2;

  private final long seconds;
  private String where = "";
  private boolean lost;

  /** So many seconds each. */
  StartTimeout(long seconds) {
    this.seconds = seconds;
  }

  /** What {@code work} gives, on a thread of its own; empty if it took too long. */
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
    } catch (Throwable e) { // nobody else would hear of it
      result.completeExceptionally(e);
    }
  }

  /** The innermost frame that is not of Java itself. */
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

  /** Whether the last work that took too long continues nevertheless. */
  boolean lost() {
    return lost;
  }

  /** What is to be said of it. */
  String complaint() {
    return "its activator or a component did not return within " + seconds + " s" + where;
  }
}
