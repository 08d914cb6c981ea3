package roll.remote;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Posts JSON. What may go away by itself (no connection, no answer in time, 408, 429, 5xx) is tried
 * again after a delay that doubles each time, or that the service names in {@code Retry-After};
 * everything else, and the last try, is a failure. Called from many threads at once.
 */
public final class RetryingClient implements AutoCloseable {
  private static final long MOST_BYTES = 16L << 20;

  private final Limits limits;
  private final HttpClient client;

  /**
   * How patient one is; all times are seconds.
   *
   * @param timeout for a whole answer
   * @param retries after the first try
   * @param delay before the first of them
   * @param longest to which a doubled delay grows, and most that a service may ask for
   */
  public record Limits(double timeout, int retries, double delay, double longest) {}

  /** A client that keeps to {@code limits} with every request. */
  public RetryingClient(Limits limits) {
    this.limits = limits;
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(duration(limits.timeout()))
            .build();
  }

  /**
   * What the service at {@code address} answers with status 200, at most 16 MiB.
   *
   * @param headers beside the content's type
   * @throws RequestFailure if there is no such answer
   * @throws InterruptedException if the thread was interrupted; the request is given up
   */
  public String post(URI address, Map<String, String> headers, String json)
      throws RequestFailure, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json));
    headers.forEach(request::header);
    double delay = limits.delay();
    for (int tries = 1; ; tries++) {
      try {
        return attempt(request.build(), tries, delay);
      } catch (RequestFailure e) {
        if (tries > limits.retries() || !e.mayPass()) {
          throw e;
        }
        Thread.sleep(duration(e.pause()));
      }
      delay = Math.min(2 * delay, limits.longest());
    }
  }

  private String attempt(HttpRequest request, int tries, double delay)
      throws RequestFailure, InterruptedException {
    CompletableFuture<HttpResponse<String>> pending =
        client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), MOST_BYTES));
    try {
      long nanos = duration(limits.timeout()).toNanos();
      HttpResponse<String> response = pending.get(nanos, TimeUnit.NANOSECONDS);
      if (response.statusCode() == 200) {
        return response.body();
      }
      double pause = RetryAfter.of(response.headers(), delay, limits.longest());
      throw RequestFailure.status(response.statusCode(), response.body(), tries, pause);
    } catch (TimeoutException e) {
      throw RequestFailure.silence(limits.timeout(), tries, delay);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw RequestFailure.unreachable(cause, tries, delay);
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      pending.cancel(true);
    }
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  /** Gives up what is in progress, which fails. */
  @Override
  public void close() {
    client.shutdownNow();
  }
}
