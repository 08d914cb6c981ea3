package roll.health;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves {@link Pages} over HTTP: GET and HEAD, nothing can be changed. */
final class Server implements AutoCloseable {
  private static final String PATHS = "GET /health, /progress or /metrics\n";

  private final HttpServer server;
  private final ExecutorService threads;

  private Server(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Listens on {@code place}.
   *
   * @throws IllegalArgumentException if that is not possible
   */
  static Server start(Settings.Place place, Pages pages) {
    try {
      HttpServer server = HttpServer.create(place.socket(), 0);
      ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
      server.setExecutor(threads);
      server.createContext("/", exchange -> answer(exchange, pages));
      server.start();
      return new Server(server, threads);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "roll.health.port: cannot listen on %s:%d: %s"
              .formatted(place.address().getHostAddress(), place.port(), e.getMessage()),
          e);
    }
  }

  private static void answer(HttpExchange exchange, Pages pages) throws IOException {
    try (exchange) {
      Pages.Page page = pages.at(exchange.getRequestURI().getPath());
      String method = exchange.getRequestMethod();
      boolean head = method.equals("HEAD");
      if (!head && !method.equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        page = new Pages.Page(405, "text/plain", PATHS);
      } else if (page == null) {
        page = new Pages.Page(404, "text/plain", PATHS);
      }
      byte[] text = page.text().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", page.type());
      exchange.sendResponseHeaders(page.status(), head ? -1 : text.length);
      if (!head) {
        exchange.getResponseBody().write(text);
      }
    }
  }

  /** Where it listens. */
  InetSocketAddress address() {
    return server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }
}
