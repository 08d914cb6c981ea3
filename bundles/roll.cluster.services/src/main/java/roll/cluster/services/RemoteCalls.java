package roll.cluster.services;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** How long calls of a {@link RemoteContract} are waited for, and waiting for them. */
public final class RemoteCalls {
  /**
   * Of work whose end nobody knows. What is lost on its way is sent again, and whether the member
   * lives is the membership's to find out.
   */
  public static final Duration LONG = Duration.ofDays(7);

  /** Of what takes no time. */
  public static final Duration SHORT = Duration.ofSeconds(30);

  private RemoteCalls() {}

  /** The answer, waited for; a failure is thrown as it was. */
  public static <T> T await(CompletableFuture<T> call) {
    try {
      return call.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }
}
