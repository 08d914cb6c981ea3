package roll.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import roll.testkit.RawHttpClient;

/** A listener that answers with the length of the body it receives. */
@Timeout(60)
abstract class ListenerTestBase implements HttpService {
  static final Duration LONG = Duration.ofMinutes(5);
  static final Duration SHORT = Duration.ofMillis(500);

  /** Released by a test to end requests to {@code /wait}. */
  final CountDownLatch go = new CountDownLatch(1);

  /** Released when a request to {@code /wait} has begun. */
  final CountDownLatch begun = new CountDownLatch(1);

  private final List<RawHttpClient> clients = new ArrayList<>();
  private @Nullable HttpListener listener;

  @AfterEach
  void close() throws IOException {
    for (RawHttpClient client : clients) {
      client.close();
    }
    if (listener != null) {
      listener.close();
    }
  }

  HttpListener listener(HttpLimits limits) throws IOException {
    return listener(
        new HttpListenerConfig(InetAddress.getLoopbackAddress(), 0, List.of(), null, limits));
  }

  HttpListener listener(HttpListenerConfig place) throws IOException {
    HttpListener started = HttpListener.start(place, this);
    listener = started;
    return started;
  }

  /** Returns a client of the listener, closed after the test. */
  RawHttpClient client() throws IOException {
    RawHttpClient client = new RawHttpClient(Objects.requireNonNull(listener).address().getPort());
    clients.add(client);
    return client;
  }

  @Override
  public void answer(Exchange exchange) throws IOException, InterruptedException {
    switch (exchange.path()) {
      case "/wait" -> {
        begun.countDown();
        go.await();
        exchange.send(200, "text/plain", new byte[0]);
      }
      case "/fail" -> {
        begun.countDown();
        try {
          go.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      case "/stay" -> {
        begun.countDown();
        stay();
        exchange.send(200, "text/plain", new byte[0]);
      }
      case "/hold" -> {
        try (RequestBody _ = exchange.body()) {
          begun.countDown();
          go.await();
        }
        exchange.send(200, "text/plain", new byte[0]);
      }
      case "/flood" -> {
        try (OutputStream out = exchange.begin(200, "text/plain")) {
          exchange.deliver();
          while (true) {
            out.write(new byte[1 << 16]);
          }
        } finally {
          begun.countDown();
        }
      }
      case "/broken" -> throw new IllegalStateException("broken");
      default -> {
        try (RequestBody body = exchange.body()) {
          byte[] length = String.valueOf(body.bytes().length).getBytes(StandardCharsets.UTF_8);
          body.release();
          exchange.send(200, "text/plain", length);
        }
      }
    }
  }

  /** Waits for {@link #go} and ignores interrupts. */
  private void stay() {
    boolean interrupted = false;
    while (go.getCount() > 0) {
      try {
        go.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String refusal(int status, String message) {
    return "{\"refused\":\"" + message + "\"}";
  }
}
