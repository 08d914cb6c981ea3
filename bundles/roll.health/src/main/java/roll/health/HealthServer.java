package roll.health;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import roll.http.Exchange;
import roll.http.HttpLimits;
import roll.http.HttpListener;
import roll.http.HttpListenerConfig;
import roll.http.HttpService;

/** Serves {@link HealthPages} over HTTP: GET and HEAD alone. */
final class HealthServer implements AutoCloseable {
  private static final String PATHS = "GET /health, /progress or /metrics\n";

  private final HttpListener listener;

  private HealthServer(HttpListener listener) {
    this.listener = listener;
  }

  /**
   * Starts the health server at the address {@code place}.
   *
   * @throws IllegalArgumentException if that fails
   */
  static HealthServer start(HealthSettings.Place place, HealthPages pages) {
    HttpListenerConfig there =
        new HttpListenerConfig(
            place.address(), place.port(), place.hosts(), null, HttpLimits.standard());
    try {
      return new HealthServer(HttpListener.start(there, new PageService(pages)));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "roll.health.port: cannot listen on %s:%d: %s"
              .formatted(place.address().getHostAddress(), place.port(), e.getMessage()),
          e);
    }
  }

  /**
   * Answers requests for the health pages.
   *
   * @param pages to serve
   */
  private record PageService(HealthPages pages) implements HttpService {
    @Override
    public void answer(Exchange exchange) throws IOException {
      HealthPages.@Nullable Page page = pages.at(exchange.path());
      if (!exchange.method().equals("HEAD") && !exchange.method().equals("GET")) {
        exchange.answerHeader("Allow", "GET, HEAD");
        page = new HealthPages.Page(405, "text/plain", PATHS);
      } else if (page == null) {
        page = new HealthPages.Page(404, "text/plain", PATHS);
      }
      exchange.send(page.status(), page.type(), page.text().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String refusal(int status, String message) {
      return HealthPages.refusal(message);
    }
  }

  /** Returns the address of the listener. */
  InetSocketAddress address() {
    return listener.address();
  }

  @Override
  public void close() {
    listener.close();
  }
}
