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

/** A listener that says the length of what it is sent. */
@Timeout(60)
abstract class ListenerKit implements HttpService {
  static final Duration LONG = Duration.ofMinutes(5);
  static final Duration SHORT = Duration.ofMillis(500);

  /** Opened for requests to {@code /wait}. */
  final CountDownLatch go = new CountDownLatch(1);

  /** Opened when one of these has begun. */
  final CountDownLatch begun = new CountDownLatch(1);

  private final List<Lines> clients = new ArrayList<>();
  private @Nullable HttpListener listener;

  @AfterEach
  void close() throws IOException {
    for (Lines client : clients) {
      client.close();
    }
    if (listener != null) {
      listener.close();
    }
  }

  HttpListener listener(HttpLimits limits) throws IOException {
    return listener(new HttpPlace(InetAddress.getLoopbackAddress(), 0, List.of(), null, limits));
  }

  HttpListener listener(HttpPlace place) throws IOException {
    HttpListener started = HttpListener.start(place, this);
    listener = started;
    return started;
  }

  /** A client of the listener, for the time of the test. */
  Lines client() throws IOException {
    Lines client = new Lines(Objects.requireNonNull(listener));
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
        try (Body _ = exchange.body()) {
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
        try (Body body = exchange.body()) {
          byte[] length = String.valueOf(body.bytes().length).getBytes(StandardCharsets.UTF_8);
          body.release();
          exchange.send(200, "text/plain", length);
        }
      }
    }
  }

  /** Until {@link #go} is opened, whatever interrupts. */
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
