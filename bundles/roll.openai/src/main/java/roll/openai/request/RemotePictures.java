package roll.openai.request;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import roll.api.image.Picture;

/**
 * Fetches the pictures of one request from hosts that are allowed; redirections, which could lead
 * elsewhere, are not followed.
 */
final class RemotePictures {
  /** Of one picture: as large as the body of a request may be. */
  private static final int MOST_BYTES = 16 << 20;

  /** For all pictures of a request. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final int OK = 200;

  private final List<String> hosts;
  private long nanosLeft = PATIENCE.toNanos();

  /** From these hosts; * for any. */
  RemotePictures(List<String> hosts) {
    this.hosts = hosts;
  }

  /** A picture that is not fetched; the message is for the client. */
  static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refusal(String message) {
      super(message, null, false, false);
    }

    @Override
    public String getMessage() {
      return Objects.requireNonNull(super.getMessage());
    }
  }

  /**
   * What is at {@code url}.
   *
   * @throws Refusal if the host is not allowed, does not answer in time, or gives too much or no
   *     picture
   */
  Picture fetch(URI url) throws InterruptedException {
    String host = url.getHost();
    if (hosts.isEmpty()) {
      throw new Refusal("this server fetches no pictures; send it as a data URL");
    }
    if (host == null || !(hosts.contains("*") || allowed(host))) {
      throw new Refusal("this server fetches no pictures from '" + host + "'");
    }
    long begun = System.nanoTime();
    try (HttpClient client =
        HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).build()) {
      CompletableFuture<HttpResponse<byte[]>> answer =
          client.sendAsync(
              HttpRequest.newBuilder(url).header("Accept", "image/*").build(),
              BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES));
      try {
        return picture(host, answer.get(Math.max(1, nanosLeft), TimeUnit.NANOSECONDS));
      } finally {
        answer.cancel(true);
        client.shutdownNow();
        nanosLeft -= System.nanoTime() - begun;
      }
    } catch (TimeoutException e) {
      throw new Refusal(
          "'%s' did not give it within %d seconds".formatted(host, PATIENCE.toSeconds()));
    } catch (ExecutionException e) {
      throw new Refusal(
          "no picture of at most %d MiB can be fetched from '%s'"
              .formatted(MOST_BYTES >> 20, host));
    }
  }

  private boolean allowed(String host) {
    return hosts.stream().anyMatch(host::equalsIgnoreCase);
  }

  private static Picture picture(String host, HttpResponse<byte[]> answer) {
    if (answer.statusCode() != OK) {
      throw new Refusal("'%s' answered %d".formatted(host, answer.statusCode()));
    }
    return Picture.of(answer.body());
  }
}
