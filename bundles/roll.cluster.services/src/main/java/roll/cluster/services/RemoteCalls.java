package roll.cluster.services;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import roll.cluster.Member;

/** Time limits of calls to other nodes, and waiting for their answers. */
public final class RemoteCalls {
  /**
   * Limit for work of unknown duration. The membership sends again what is lost on its way, and
   * notices when the member is lost.
   */
  public static final Duration LONG = Duration.ofDays(7);

  /** Limit for calls that return at once. */
  public static final Duration SHORT = Duration.ofSeconds(30);

  private RemoteCalls() {}

  /** Waits for the answer and returns it; throws a failure as it was. */
  public static <T> T await(CompletableFuture<T> call) {
    try {
      return call.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }

  /**
   * Like {@link #await}, but returns when the thread is interrupted, too.
   *
   * @throws CancellationException if the thread was interrupted; its flag is set then
   */
  public static <T> T awaitInterruptibly(CompletableFuture<T> call, Member member) {
    try {
      return call.get();
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted in a call to " + member);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    }
  }
}
