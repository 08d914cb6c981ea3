package roll.core.plugin;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.plugin.OneShotTask;
import roll.text.OneLine;

/**
 * Guards the plugin calls of a step. Each runs on its own thread: an exception is reported with the
 * plugin in one line, and a call that does not return times out.
 *
 * @param who name of the plugin in messages
 * @param most time limit of a call
 */
public record PluginGuard(String who, Duration most) {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** Calls of the plugin that {@code key} names, of {@code bundle}; ten minutes each. */
  public static PluginGuard of(String key, String name, String bundle) {
    return new PluginGuard(key + " '" + name + "' (" + bundle + ")", LIMIT);
  }

  /**
   * Runs the plugin call {@code work} and returns its result.
   *
   * @param call its name
   * @throws PluginException if it throws, returns null or exceeds the time limit
   * @throws UserException as it throws them
   * @throws CancellationException if the wait was interrupted
   */
  public <T> T call(String call, Supplier<? extends @Nullable T> work) {
    CompletableFuture<@Nullable T> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform().daemon().name(who).start(new OneShotTask(() -> complete(result, work)));
    try {
      T given = result.get(most.toMillis(), TimeUnit.MILLISECONDS);
      if (given == null) {
        throw gave(call, "null");
      }
      return given;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UserException mistake) {
        throw mistake;
      }
      throw threw(call, cause(e));
    } catch (TimeoutException e) {
      StackTraceElement[] stack = thread.getStackTrace();
      thread.interrupt();
      throw new PluginException(
          who
              + ": "
              + call
              + " took longer than "
              + most.toSeconds()
              + " s"
              + (stack.length == 0 ? "" : " (at " + stack[0] + ")"),
          e);
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      throw new CancellationException(who + " was interrupted");
    }
  }

  private static Throwable cause(ExecutionException e) {
    return e.getCause() == null ? e : e.getCause();
  }

  private static <T> void complete(
      CompletableFuture<@Nullable T> result, Supplier<? extends @Nullable T> work) {
    try {
      result.complete(work.get());
    } catch (Throwable e) { // a plugin may throw anything
      result.completeExceptionally(e);
    }
  }

  /** Returns the exception for {@code call}, which threw {@code thrown}. */
  public PluginException threw(String call, Throwable thrown) {
    return new PluginException(who + ": " + call + " threw " + OneLine.of(thrown), thrown);
  }

  /** Returns the exception for an invalid result of {@code call}. */
  public PluginException gave(String call, String what) {
    String line = who + ": " + call + " gave " + what;
    return new PluginException(line, new IllegalStateException(line));
  }

  /** Checks that the plugin returned {@code length} numbers in {@code given}. */
  void requireLength(String call, String what, double @Nullable [] given, int length) {
    if (given == null || given.length != length) {
      throw gave(call, (given == null ? "no" : given.length + "") + " " + what + " for " + length);
    }
  }
}
