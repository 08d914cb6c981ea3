package roll.tracking.opentelemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPInputStream;

/** Receives spans by OTLP over HTTP. */
final class Collector implements AutoCloseable {
  private final HttpServer server;
  private final List<ResourceSpans> taken = new ArrayList<>();
  private final List<String> keys = new ArrayList<>();
  private final CountDownLatch open = new CountDownLatch(1);
  private volatile int status = 200;
  private volatile boolean slow;

  Collector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", this::take);
    server.setExecutor(Thread::startVirtualThread);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      ExportTraceServiceRequest request =
          ExportTraceServiceRequest.parseFrom(new GZIPInputStream(exchange.getRequestBody()));
      synchronized (this) {
        keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Key")));
        if (status == 200) {
          taken.addAll(request.getResourceSpansList());
        }
      }
      if (slow) {
        open.await();
      }
      exchange.sendResponseHeaders(status, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Answers later requests with {@code status}. */
  void answers(int status) {
    this.status = status;
  }

  /** Does not answer later requests until it is closed. */
  void stalls() {
    slow = true;
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  synchronized List<Span> spans() {
    return taken.stream()
        .flatMap(resource -> resource.getScopeSpansList().stream())
        .flatMap(scope -> scope.getSpansList().stream())
        .toList();
  }

  synchronized Resource resource() {
    return taken.getFirst().getResource();
  }

  /** The header X-Key of each request. */
  synchronized List<String> keys() {
    return List.copyOf(keys);
  }

  @Override
  public void close() {
    open.countDown();
    server.stop(0);
  }
}
