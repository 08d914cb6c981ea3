package roll.testkit;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A real HTTP server on this machine, for plugins that query one. It answers requests concurrently
 * as the test specifies, and records them.
 */
public final class TestHttpServer implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Asked> asked = new ArrayList<>();
  private final HttpServer server;
  private volatile RequestHandler answering;

  /** A handler of requests. */
  @ConsumerType
  @FunctionalInterface
  public interface RequestHandler {
    /**
     * Answers the request {@code number}, counted from 1.
     *
     * @throws IOException if the client is disconnected
     * @throws InterruptedException if the server is closed
     */
    void answer(HttpExchange exchange, int number) throws IOException, InterruptedException;
  }

  private record Asked(Headers headers, String body) {}

  /**
   * Starts a server that answers requests to {@code path} with {@code body} and status 200 until
   * {@link #answers} changes that.
   *
   * @throws IOException if there is no free port
   */
  public TestHttpServer(String path, String body) throws IOException {
    answering = (exchange, number) -> answer(exchange, 200, body);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(path, this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      int number;
      synchronized (asked) {
        asked.add(new Asked(exchange.getRequestHeaders(), body));
        number = asked.size();
      }
      answering.answer(exchange, number);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Answers later requests by {@code how}. */
  public void answers(RequestHandler how) {
    answering = how;
  }

  /** Answers later requests with {@code status} and {@code body}. */
  public void answers(int status, String body) {
    answers((exchange, number) -> answer(exchange, status, body));
  }

  /**
   * Sends an answer.
   *
   * @throws IOException if the client is disconnected
   */
  public static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** Returns a chat completion with {@code text}, which must not need escapes in JSON. */
  public static String completion(String text) {
    return "{\"id\":\"x\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\""
        + text
        + "\"}}]}";
  }

  /** Returns the bodies of all requests in order. */
  public List<String> bodies() {
    synchronized (asked) {
      return asked.stream().map(Asked::body).toList();
    }
  }

  /** Returns the header {@code name} of all requests; the text {@code null} if missing. */
  public List<String> headers(String name) {
    synchronized (asked) {
      return asked.stream().map(one -> String.valueOf(one.headers().getFirst(name))).toList();
    }
  }

  /** Returns the server's address without a path. */
  public String address() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** Stops the server; repeated calls have no effect. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
