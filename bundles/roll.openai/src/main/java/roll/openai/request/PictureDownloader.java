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
 * Downloads the pictures of one request from allowed hosts. Redirects are not followed, since they
 * could lead to other hosts.
 */
final class PictureDownloader {
  /** Maximum bytes of a picture, equal to that of a request's body. */
  private static final int MOST_BYTES = 16 << 20;

  /** Timeout of all downloads of a request together. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final int OK = 200;

  private final List<String> hosts;
  private long nanosLeft = PATIENCE.toNanos();

  /** Creates a downloader for {@code hosts}; {@code *} allows any. */
  PictureDownloader(List<String> hosts) {
    this.hosts = hosts;
  }

  /** Thrown if a picture is not downloaded; the message is for the client. */
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
   * Downloads the picture at {@code url}.
   *
   * @throws Refusal if the host is not allowed or too slow, or the answer is too large or not a
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
