package roll.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Transport that sends lines as bodies of POST requests, whose responses have the answers. */
final class HttpTransport implements Transport {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final int LONGEST = 32 << 20;
  private static final int SHOWN = 200;
  private static final int OK = 200;

  private final ServerEndpoint place;
  private final HttpClient client;
  private volatile @Nullable Listener listener;

  /** Creates a transport without connecting. */
  HttpTransport(ServerEndpoint place) {
    this.place = place;
    // HTTP/1.1, since simple servers reject the header of an upgrade to 2
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();
  }

  @Override
  public void open(Listener told) {
    listener = told;
  }

  @Override
  public void send(String line) throws IOException, InterruptedException {
    Listener told = listener;
    if (told == null) {
      throw new IOException("the transport is not open");
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(place.url())
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(line));
    place.headers().forEach(request::setHeader);
    HttpResponse<InputStream> response = client.send(request.build(), BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      if (response.statusCode() != OK) {
        String said = new LineReader(body, SHOWN, true).line();
        told.ended("answered with status " + response.statusCode() + ": " + said);
        return;
      }
      LineReader lines = new LineReader(body, LONGEST, false);
      for (String answer = lines.line(); answer != null; answer = lines.line()) {
        told.line(answer);
      }
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
