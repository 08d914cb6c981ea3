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
 * A real endpoint on this machine, for plugins that ask one: it answers as it is told, requests at
 * once on their own threads, and remembers what it was asked.
 */
public final class TestHttpServer implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Asked> asked = new ArrayList<>();
  private final HttpServer server;
  private volatile RequestHandler answering;

  /** How requests are answered. */
  @ConsumerType
  @FunctionalInterface
  public interface RequestHandler {
    /**
     * Answers the request {@code number}, from 1.
     *
     * @throws IOException if whoever asked has gone
     * @throws InterruptedException if the endpoint was closed
     */
    void answer(HttpExchange exchange, int number) throws IOException, InterruptedException;
  }

  private record Asked(Headers headers, String body) {}

  /**
   * An endpoint that answers what is posted to {@code path} with {@code body} and status 200, until
   * it is told otherwise.
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

  /** From now on answers so. */
  public void answers(RequestHandler how) {
    answering = how;
  }

  /** From now on answers every request so. */
  public void answers(int status, String body) {
    answers((exchange, number) -> answer(exchange, status, body));
  }

  /**
   * Answers a request.
   *
   * @throws IOException if whoever asked has gone
   */
  public static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** A chat completion that says {@code text}, which is without quotes, backslashes and breaks. */
  public static String completion(String text) {
    return "{\"id\":\"x\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\""
        + text
        + "\"}}]}";
  }

  /** What was posted so far, in the order of its arrival. */
  public List<String> bodies() {
    synchronized (asked) {
      return asked.stream().map(Asked::body).toList();
    }
  }

  /** The header {@code name} of every request so far; the text {@code null} where it had none. */
  public List<String> headers(String name) {
    synchronized (asked) {
      return asked.stream().map(one -> String.valueOf(one.headers().getFirst(name))).toList();
    }
  }

  /** Its address, without a path. */
  public String address() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** Answers nothing any more; does nothing the second time. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
